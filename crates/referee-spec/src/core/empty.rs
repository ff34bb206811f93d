//! What temporal operators say where there is no point.

use super::{BinaryOp, Formula, Kind, Property, UnaryOp};

impl UnaryOp {
    /// Whether it holds on the empty trace, whatever its argument.
    pub fn holds_without_points(self) -> bool {
        match self {
            UnaryOp::Prev | UnaryOp::Next | UnaryOp::Once | UnaryOp::Eventually => false,
            UnaryOp::WeakPrev | UnaryOp::WeakNext | UnaryOp::Historically | UnaryOp::Always => true,
        }
    }
}

impl BinaryOp {
    /// Whether it holds on the empty trace, whatever its arguments.
    pub fn holds_without_points(self) -> bool {
        match self {
            BinaryOp::Since | BinaryOp::StrictSince | BinaryOp::Until => false,
            BinaryOp::WeakSince | BinaryOp::Trigger | BinaryOp::WeakUntil | BinaryOp::Release => true,
        }
    }
}

impl Property {
    /// The property with what its temporal operators say on the empty trace in place of them.
    #[must_use]
    pub fn without_points(&self) -> Property {
        let mut property = self.clone();
        property.definitions.iter_mut().for_each(|definition| definition.body.drop_points());
        property.body.drop_points();
        property
    }
}

impl Formula {
    fn drop_points(&mut self) {
        match &mut self.kind {
            Kind::Unary(op, ..) => self.kind = Kind::Constant(op.holds_without_points()),
            Kind::Binary(op, ..) => self.kind = Kind::Constant(op.holds_without_points()),
            Kind::Match(..) => self.kind = Kind::Constant(false),
            Kind::Not(body) | Kind::Quantified(_, _, body) => body.drop_points(),
            Kind::And(all) | Kind::Or(all) => all.iter_mut().for_each(Formula::drop_points),
            Kind::Implies(left, right) | Kind::Iff(left, right) => {
                left.drop_points();
                right.drop_points();
            }
            Kind::Constant(_) | Kind::Event(_) | Kind::Compare(..) | Kind::Observe(_) | Kind::Call(..) => {}
        }
    }
}
