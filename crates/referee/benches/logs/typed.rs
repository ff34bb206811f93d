//! What a program would write by hand: `serde_json` with types that have the wanted fields only, line by line.

use std::borrow::Cow;

use serde::Deserialize;

#[derive(Deserialize)]
struct Record<'t> {
    #[serde(borrow)]
    tenant: Cow<'t, str>,
    #[serde(borrow)]
    event: Event<'t>,
    #[serde(borrow)]
    actor: Actor<'t>,
    #[serde(borrow)]
    order: Order<'t>,
}

#[derive(Deserialize)]
struct Event<'t> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'t, str>,
}

#[derive(Deserialize)]
struct Actor<'t> {
    #[serde(borrow)]
    user: User<'t>,
}

#[derive(Deserialize)]
struct User<'t> {
    #[serde(borrow)]
    name: Cow<'t, str>,
}

#[derive(Deserialize)]
struct Order<'t> {
    #[serde(borrow)]
    id: Cow<'t, str>,
    amount: Amount,
}

#[derive(Deserialize)]
struct Amount {
    value: i64,
}

/// Reads all records; the answer depends on every wanted field.
pub(crate) fn read(bytes: &[u8]) -> u64 {
    let text = std::str::from_utf8(bytes).expect("logs are text");
    let mut sum = 0u64;
    for line in text.lines() {
        let Record { tenant, event, actor, order } = serde_json::from_str(line).expect("a record");
        let length = tenant.len() + event.kind.len() + actor.user.name.len() + order.id.len();
        sum = sum.wrapping_add(length as u64).wrapping_add(order.amount.value.unsigned_abs());
    }
    sum
}
