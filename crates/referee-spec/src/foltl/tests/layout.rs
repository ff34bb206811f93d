//! Canonical layout.

use super::super::format;
use crate::source::Source;

fn formatted(text: &str) -> String {
    let once = format(&Source::new("spec.foltl", text)).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let twice = format(&Source::new("spec.foltl", once.as_str()));
    assert_eq!(twice.as_deref(), Ok(once.as_str()), "formatting is idempotent");
    once
}

#[test]
fn short_formulas_stay_on_a_line_with_few_parentheses() {
    assert_eq!(
        formatted("(∀ i:iterator)  (((□ ((next(i)) → (● (¬ next(i) S hasNext( i,true )))))))"),
        "(forall i:iterator)(always (<next>(i) => last (not <next>(i) since hasNext(i, true))))\n"
    );
    assert_eq!(formatted("p(((1+2)*3)-(4-(5)))"), "p((1 + 2) * 3 - (4 - 5))\n");
}

#[test]
fn long_formulas_break_at_operators() {
    let text = "property bids: (forall i:item)(forall min:int)(always (list(i, min) => always ((forall a,a':int)((a <= a'
        and bid(i, a)) => weak-last always-been not bid(i, a')) and (sold(i) => once (exists a:int)(a >= min and bid(i, a))))))";
    let expected = "\
property bids:
  (forall i:item)(forall min:int)(
    always (
      list(i, min)
      => always (
        (forall a,a':int)((a <= a' and bid(i, a)) => weak-last always-been not bid(i, a'))
        and (sold(i) => once (exists a:int)(a >= min and bid(i, a)))
      )
    )
  )
";
    assert_eq!(formatted(text), expected);
}

#[test]
fn comments_stay_with_their_items() {
    let text = "# head\n/* two\nlines */ event a(s) // same line\nevent b()\n\n\n# before p\nproperty p: a /* inside */ and b # after\n# end";
    let expected = "\
# head
/* two
lines */
event a(s) // same line
event b()

# before p
/* inside */
property p: a and b # after
# end
";
    assert_eq!(formatted(text), expected);
}

#[test]
fn files_with_errors_are_not_touched() {
    let errors = format(&Source::new("spec.foltl", "always (p and")).expect_err("an error");
    assert_eq!(errors.len(), 1);
}
