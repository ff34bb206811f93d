//! Levels and open conditions by number.

use std::collections::HashMap;
use std::sync::Arc;

use crate::fo::interpret::table::{Condition, ConditionRows, ConditionTable, Node, OpenNode};
use crate::fo::interpret::variables::FormulaVar;
use crate::shared::universe::ValueId;

use crate::shared::bytes::{Damaged, Reader, Writer};

/// How deep tables and conditions may nest. The nesting follows that of the property, which is far less.
const MAX_DEPTH: u32 = 1000;

/// The tag of a level; open conditions have the others.
const LEVEL: u8 = 0;

/// References to true and false; what comes after them refers to an entry.
const CONSTANTS: u64 = 2;

/// The entries to be written, each once.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    numbers: HashMap<usize, u64>,
    entries: Writer<'static>,
}

impl Pool {
    /// The reference to a table, which is written first if it is new.
    pub(crate) fn table(&mut self, table: &ConditionTable) -> u64 {
        match table {
            ConditionTable::Leaf(condition) => self.condition(condition),
            ConditionTable::Node(node) => match self.numbers.get(&(Arc::as_ptr(node) as usize)) {
                Some(number) => *number,
                None => self.level(node),
            },
        }
    }

    /// The reference to a condition, which is written first if it is new.
    pub(crate) fn condition(&mut self, condition: &Condition) -> u64 {
        match condition {
            Condition::Constant(truth) => u64::from(*truth),
            Condition::Open(node) => match self.numbers.get(&(Arc::as_ptr(node) as usize)) {
                Some(number) => *number,
                None => self.open(node),
            },
        }
    }

    fn level(&mut self, node: &Arc<Node>) -> u64 {
        let rest = self.table(&node.rest);
        let rows: Vec<(ValueId, u64)> = node.rows.iter().map(|(value, row)| (*value, self.table(row))).collect();
        let mut entry = Writer::default();
        entry.byte(LEVEL);
        entry.number(u64::from(node.var.0));
        entry.number(rest);
        entry.length(rows.len());
        let mut next = 0;
        for (value, row) in rows {
            // Rows are in the order of their values, so differences are small.
            entry.number(u64::from(value.0 - next));
            entry.number(row);
            next = value.0.saturating_add(1);
        }
        self.add(Arc::as_ptr(node) as usize, &entry)
    }

    fn open(&mut self, node: &Arc<OpenNode>) -> u64 {
        let entry = self.write_open(&node.open);
        self.add(Arc::as_ptr(node) as usize, &entry)
    }

    fn add(&mut self, address: usize, entry: &Writer) -> u64 {
        let number = self.numbers.len() as u64 + CONSTANTS;
        self.numbers.insert(address, number);
        self.entries.append(entry.as_bytes());
        number
    }

    /// Writes all entries.
    pub(crate) fn finish(self, out: &mut Writer) {
        out.length(self.numbers.len());
        out.append(self.entries.as_bytes());
    }
}

/// What numbers in a table may refer to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// How many values there are.
    pub values: u32,
    /// How many sorts there are.
    pub sorts: u32,
    /// How many future operators there are.
    pub futures: u32,
}

/// The entries read so far, with the depth of each.
#[derive(Debug)]
pub(crate) struct Tables {
    entries: Vec<(ConditionTable, u32)>,
    pub(crate) limits: Limits,
    /// The deepest entry that the one at hand refers to.
    deepest: u32,
}

impl Tables {
    /// Reads all entries.
    pub(crate) fn read(reader: &mut Reader, limits: Limits) -> Result<Tables, Damaged> {
        let mut tables = Tables { entries: Vec::new(), limits, deepest: 0 };
        for _ in 0..reader.length()? {
            tables.deepest = 0;
            let table = match reader.byte()? {
                LEVEL => tables.level(reader)?,
                tag => ConditionTable::Leaf(tables.read_open(tag, reader)?),
            };
            if tables.deepest == MAX_DEPTH {
                return Err(Damaged);
            }
            tables.entries.push((table, tables.deepest + 1));
        }
        Ok(tables)
    }

    fn level(&mut self, reader: &mut Reader) -> Result<ConditionTable, Damaged> {
        let var = FormulaVar(reader.small()?);
        let rest = self.table(reader)?;
        let mut rows = ConditionRows::new_sync();
        let mut next = 0u32;
        for _ in 0..reader.length()? {
            let value = next.checked_add(reader.small()?).filter(|value| *value < self.limits.values).ok_or(Damaged)?;
            rows.insert_mut(ValueId(value), self.table(reader)?);
            next = value + 1;
        }
        if rows.is_empty() { Err(Damaged) } else { Ok(ConditionTable::level(var, rows, rest)) }
    }

    /// Reads a reference to a table.
    pub(crate) fn table(&mut self, reader: &mut Reader) -> Result<ConditionTable, Damaged> {
        let number = reader.number()?;
        let Some(index) = number.checked_sub(CONSTANTS) else { return Ok(ConditionTable::constant(number == 1)) };
        let (table, depth) = usize::try_from(index).ok().and_then(|index| self.entries.get(index)).ok_or(Damaged)?;
        self.deepest = self.deepest.max(*depth);
        Ok(table.clone())
    }

    /// Reads a reference to a condition.
    pub(crate) fn condition(&mut self, reader: &mut Reader) -> Result<Condition, Damaged> {
        match self.table(reader)? {
            ConditionTable::Leaf(condition) => Ok(condition),
            ConditionTable::Node(_) => Err(Damaged),
        }
    }

    pub(crate) fn below(&self, reader: &mut Reader, limit: u32) -> Result<u32, Damaged> {
        Some(reader.small()?).filter(|number| *number < limit).ok_or(Damaged)
    }
}
