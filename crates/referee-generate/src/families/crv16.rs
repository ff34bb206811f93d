//! The two examples of the competition of 2016: iterators and auctions.

use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::generator::{Breach, Generator, Sizes};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const COMMON: Generator = Generator {
    name: "",
    about: "",
    language: Language::Foltl,
    specification: "",
    events: 100_000,
    sizes: Sizes::ANY,
    format: Format::Csv,
    times: false,
    kinds: ITERATOR_KINDS,
    breach: Breach::Once { before: 0, after: 0 },
    timed: None,
    story: iterators,
};

/// Both of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "hasnext",
        about: "An iterator is asked whether there is a next element before it is asked for that",
        specification: specification!("hasnext.foltl"),
        ..COMMON
    },
    Generator {
        name: "auction",
        about: "Bids grow, and what is sold has got its minimum",
        specification: specification!("auction.foltl"),
        kinds: AUCTION_KINDS,
        breach: Breach::Once { before: 2, after: 0 },
        story: auction,
        ..COMMON
    },
];

const HAS_NEXT: usize = 0;
const NEXT: usize = 1;
const ITERATOR: (&str, Content) = ("iterator", Content::Identity("iterator"));
const ITERATOR_KINDS: &[Kind] = &[
    Kind { name: "hasNext", fields: &[ITERATOR, ("result", Content::Word(&["false", "true"]))] },
    Kind { name: "next", fields: &[ITERATOR] },
];

/// How many iterators or items are in use at a time.
fn in_use(order: &Order) -> usize {
    (order.events / 100).clamp(2, 1000) as usize
}

/// An iterator in use.
#[derive(Debug, Clone, Copy)]
struct Iterator {
    number: u64,
    /// Whether it has said that there is a next element.
    ready: bool,
}

struct Iterators {
    random: Random,
    in_use: Vec<Iterator>,
    begun: u64,
}

fn iterators(order: &Order, random: Random) -> Box<dyn Story> {
    let count = in_use(order);
    let in_use = (1..=count as u64).map(|number| Iterator { number, ready: false }).collect();
    Box::new(Iterators { random, in_use, begun: count as u64 })
}

impl Iterators {
    /// An iterator comes to its end, and another takes its place.
    fn exhaust(&mut self, place: usize) -> Row {
        self.begun += 1;
        let gone = std::mem::replace(&mut self.in_use[place], Iterator { number: self.begun, ready: false });
        Row::new(HAS_NEXT, [gone.number, 0])
    }
}

impl Story for Iterators {
    fn obey(&mut self, _: u64) -> Row {
        let place = self.random.index(self.in_use.len());
        let Iterator { number, ready } = self.in_use[place];
        if ready && !self.random.one_in(4) {
            self.in_use[place].ready = false;
            return Row::new(NEXT, [number]);
        }
        if !ready && self.random.one_in(8) {
            return self.exhaust(place);
        }
        self.in_use[place].ready = true;
        Row::new(HAS_NEXT, [number, 1])
    }

    /// An iterator that is not ready gives an element: one in use, or else a new one.
    fn breach(&mut self, _: u64) -> Row {
        let found = self.in_use[self.random.index(self.in_use.len())];
        Row::new(NEXT, [if found.ready { self.begun + 1 } else { found.number }])
    }
}

const LIST: usize = 0;
const BID: usize = 1;
const SOLD: usize = 2;
const ITEM: (&str, Content) = ("item", Content::Identity("item"));
const AUCTION_KINDS: &[Kind] = &[
    Kind { name: "list", fields: &[ITEM, ("minimum", Content::Quantity)] },
    Kind { name: "bid", fields: &[ITEM, ("amount", Content::Quantity)] },
    Kind { name: "sold", fields: &[ITEM] },
];

/// An item that is on offer.
#[derive(Debug, Clone, Copy)]
struct Item {
    number: u64,
    minimum: u64,
    /// The highest bid so far.
    highest: u64,
}

struct Auction {
    random: Random,
    on_offer: Vec<Option<Item>>,
    listed: u64,
    /// How the property will be broken: by a sale, or by a bid.
    cheap_sale: bool,
}

fn auction(order: &Order, mut random: Random) -> Box<dyn Story> {
    let cheap_sale = random.one_in(2);
    Box::new(Auction { random, on_offer: vec![None; in_use(order)], listed: 0, cheap_sale })
}

impl Auction {
    fn list(&mut self, place: usize) -> Row {
        self.listed += 1;
        let item = Item { number: self.listed, minimum: self.random.up_to(1000), highest: 0 };
        self.on_offer[place] = Some(item);
        Row::new(LIST, [item.number, item.minimum])
    }

    fn bid(&mut self, place: usize, item: Item) -> Row {
        let highest = item.highest + self.random.up_to(200);
        self.on_offer[place] = Some(Item { highest, ..item });
        Row::new(BID, [item.number, highest])
    }

    fn sell(&mut self, place: usize, item: Item) -> Row {
        self.on_offer[place] = None;
        Row::new(SOLD, [item.number])
    }
}

impl Story for Auction {
    fn obey(&mut self, _: u64) -> Row {
        let place = self.random.index(self.on_offer.len());
        match self.on_offer[place] {
            None => self.list(place),
            Some(item) if item.highest >= item.minimum && self.random.one_in(4) => self.sell(place, item),
            Some(item) => self.bid(place, item),
        }
    }

    /// An item of its own is sold below its minimum, or gets the same bid again.
    fn breach(&mut self, step: u64) -> Row {
        let (minimum, bid) = if self.cheap_sale { (500, 499) } else { (500, 700) };
        match step {
            0 => {
                self.listed += 1;
                Row::new(LIST, [self.listed, minimum])
            }
            2 if self.cheap_sale => Row::new(SOLD, [self.listed]),
            _ => Row::new(BID, [self.listed, bid]),
        }
    }
}
