//! Rows of files that keep columns, Parquet and Arrow: each row is a line of a table with a header.
//!
//! ```text
//!  user: struct<name, id>   amount: decimal   at: timestamp            user.name,user.id,amount,at
//!  ann, 7                   12.50             1000 ms, UTC       ─▶    "ann",7,12.50,1970-01-01T00:00:01Z
//!  null                     null              null                     ,,,
//! ```
//!
//! The text is what the decoder of tables reads, so that all that mappings say about tables is true for columns as well. A null is a
//! blank cell, which is absent; texts stand in quotes, so that an empty one is not. Structures are columns by path; lists are texts like
//! `[1, 2]`. Times are written as RFC 3339, in UTC if the column has a zone and without one otherwise.
//!
//! Costs memory for one batch of rows and its text.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _};

use arrow_array::cast::AsArray as _;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};

/// How many rows of a Parquet file are read at a time.
#[cfg(feature = "parquet")]
const ROWS: usize = 8192;

/// The rows of a Parquet file.
#[cfg(feature = "parquet")]
pub(super) fn parquet(file: File) -> io::Result<Box<dyn Read + Send>> {
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(damaged)?.with_batch_size(ROWS);
    let schema = builder.schema().clone();
    let batches = builder.build().map_err(damaged)?;
    RowText::over(&schema, batches)
}

/// The rows of a file or a stream of Arrow.
pub(super) fn arrow(mut file: File) -> io::Result<Box<dyn Read + Send>> {
    let mut head = [0; 6];
    let is_file = file.read_exact(&mut head).is_ok() && head == *b"ARROW1";
    file.rewind()?;
    let file = BufReader::new(file);
    if is_file {
        let batches = FileReader::try_new(file, None).map_err(damaged)?;
        let schema = batches.schema();
        RowText::over(&schema, batches)
    } else {
        let batches = StreamReader::try_new(file, None).map_err(damaged)?;
        let schema = batches.schema();
        RowText::over(&schema, batches)
    }
}

fn damaged(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

/// Batches of rows as text.
struct RowText<I> {
    batches: I,
    text: String,
    given: usize,
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static> RowText<I> {
    fn over(schema: &Schema, batches: I) -> io::Result<Box<dyn Read + Send>> {
        let mut names = Vec::new();
        for field in schema.fields() {
            add_names(field, "", &mut names);
        }
        let mut text = String::new();
        for (at, name) in names.iter().enumerate() {
            text.push_str(if at > 0 { "," } else { "" });
            quote(name, &mut text);
        }
        text.push('\n');
        Ok(Box::new(RowText { batches, text, given: 0 }))
    }
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>>> Read for RowText<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            let Some(batch) = self.batches.next() else { return Ok(0) };
            let batch = batch.map_err(damaged)?;
            self.text.clear();
            self.given = 0;
            write_rows(&batch, &mut self.text)?;
        }
        let count = (&self.text.as_bytes()[self.given..]).read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

/// The columns of a field: its own, or those of its members by path.
fn add_names(field: &Field, before: &str, names: &mut Vec<String>) {
    let name = format!("{before}{}", field.name());
    match field.data_type() {
        DataType::Struct(members) => {
            for member in members {
                add_names(member, &format!("{name}."), names);
            }
        }
        _ => names.push(name),
    }
}

fn write_rows(batch: &RecordBatch, text: &mut String) -> io::Result<()> {
    for row in 0..batch.num_rows() {
        let mut is_first = true;
        for column in batch.columns() {
            write_cells(column, row, false, &mut is_first, text)?;
        }
        text.push('\n');
    }
    Ok(())
}

/// Writes the cells of a column; those of a structure are as many as it has members, also if it is null.
fn write_cells(column: &ArrayRef, row: usize, is_null: bool, is_first: &mut bool, text: &mut String) -> io::Result<()> {
    let is_null = is_null || column.is_null(row);
    if let DataType::Struct(_) = column.data_type() {
        for member in column.as_struct().columns() {
            write_cells(member, row, is_null, is_first, text)?;
        }
        return Ok(());
    }
    if !std::mem::take(is_first) {
        text.push(',');
    }
    if is_null {
        return Ok(());
    }
    let mut value = String::new();
    match write_value(column, row, &mut value)? {
        ValueKind::Text => quote(&value, text),
        ValueKind::Word => text.push_str(&value),
    }
    Ok(())
}

/// How a value stands in its cell.
#[derive(PartialEq, Eq)]
enum ValueKind {
    /// In quotes.
    Text,
    /// As it is: it has no letter that means something else.
    Word,
}

fn quote(value: &str, text: &mut String) {
    text.push('"');
    for (at, piece) in value.split('"').enumerate() {
        text.push_str(if at > 0 { "\"\"" } else { "" });
        text.push_str(piece);
    }
    text.push('"');
}

/// Writes a value that is not null.
fn write_value(column: &ArrayRef, row: usize, text: &mut String) -> io::Result<ValueKind> {
    use DataType as T;
    match column.data_type() {
        T::Null => {}
        T::Boolean => text.push_str(if column.as_boolean().value(row) { "true" } else { "false" }),
        T::Int8 => show::<Int8Type>(column, row, text),
        T::Int16 => show::<Int16Type>(column, row, text),
        T::Int32 => show::<Int32Type>(column, row, text),
        T::Int64 => show::<Int64Type>(column, row, text),
        T::UInt8 => show::<UInt8Type>(column, row, text),
        T::UInt16 => show::<UInt16Type>(column, row, text),
        T::UInt32 => show::<UInt32Type>(column, row, text),
        T::UInt64 => show::<UInt64Type>(column, row, text),
        T::Float16 => show::<Float16Type>(column, row, text),
        T::Float32 => show::<Float32Type>(column, row, text),
        T::Float64 => show::<Float64Type>(column, row, text),
        T::Decimal32(..) => text.push_str(&column.as_primitive::<Decimal32Type>().value_as_string(row)),
        T::Decimal64(..) => text.push_str(&column.as_primitive::<Decimal64Type>().value_as_string(row)),
        T::Decimal128(..) => text.push_str(&column.as_primitive::<Decimal128Type>().value_as_string(row)),
        T::Decimal256(..) => text.push_str(&column.as_primitive::<Decimal256Type>().value_as_string(row)),
        T::Date32 => date(i64::from(column.as_primitive::<Date32Type>().value(row)), text)?,
        T::Date64 => date(column.as_primitive::<Date64Type>().value(row).div_euclid(86_400_000), text)?,
        T::Timestamp(unit, zone) => timestamp(column, row, *unit, zone.is_some(), text)?,
        T::Utf8 => return word(column.as_string::<i32>().value(row), text),
        T::LargeUtf8 => return word(column.as_string::<i64>().value(row), text),
        T::Utf8View => return word(column.as_string_view().value(row), text),
        T::Binary => return bytes(column.as_binary::<i32>().value(row), text),
        T::LargeBinary => return bytes(column.as_binary::<i64>().value(row), text),
        T::BinaryView => return bytes(column.as_binary_view().value(row), text),
        T::FixedSizeBinary(_) => return bytes(column.as_fixed_size_binary().value(row), text),
        T::List(_) => return list(&column.as_list::<i32>().value(row), text),
        T::LargeList(_) => return list(&column.as_list::<i64>().value(row), text),
        T::FixedSizeList(..) => return list(&column.as_fixed_size_list().value(row), text),
        T::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            return write_value(dictionary.values(), dictionary.normalized_keys()[row], text);
        }
        T::Struct(fields) => {
            for (at, (field, member)) in fields.iter().zip(column.as_struct().columns()).enumerate() {
                let _ = write!(text, "{}{}: ", if at > 0 { ", " } else { "{" }, field.name());
                if !member.is_null(row) {
                    write_value(member, row, text)?;
                }
            }
            text.push('}');
            return Ok(ValueKind::Text);
        }
        other => {
            let message = format!("columns of the type {other} are not read");
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
    }
    Ok(ValueKind::Word)
}

fn show<T: ArrowPrimitiveType>(column: &ArrayRef, row: usize, text: &mut String)
where
    T::Native: std::fmt::Display,
{
    let value = column.as_primitive::<T>().value(row);
    let _ = write!(text, "{value}");
}

fn word(value: &str, text: &mut String) -> io::Result<ValueKind> {
    text.push_str(value);
    Ok(ValueKind::Text)
}

/// Bytes are the text that they stand for, if they do, and hexadecimal digits otherwise.
fn bytes(value: &[u8], text: &mut String) -> io::Result<ValueKind> {
    match std::str::from_utf8(value) {
        Ok(value) => text.push_str(value),
        Err(_) => value.iter().for_each(|byte| {
            let _ = write!(text, "{byte:02x}");
        }),
    }
    Ok(ValueKind::Text)
}

fn list(items: &ArrayRef, text: &mut String) -> io::Result<ValueKind> {
    text.push('[');
    for item in 0..items.len() {
        text.push_str(if item > 0 { ", " } else { "" });
        if !items.is_null(item) {
            write_value(items, item, text)?;
        }
    }
    text.push(']');
    Ok(ValueKind::Text)
}

fn date(days: i64, text: &mut String) -> io::Result<()> {
    let moment = days.checked_mul(86_400).and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let moment = moment.ok_or_else(|| damaged(format!("a date {days} days from 1970 is out of range")))?;
    let _ = write!(text, "{}", moment.to_zoned(jiff::tz::TimeZone::UTC).date());
    Ok(())
}

fn timestamp(column: &ArrayRef, row: usize, unit: TimeUnit, has_zone: bool, text: &mut String) -> io::Result<()> {
    let (number, length) = match unit {
        TimeUnit::Second => (column.as_primitive::<TimestampSecondType>().value(row), 1_000_000_000),
        TimeUnit::Millisecond => (column.as_primitive::<TimestampMillisecondType>().value(row), 1_000_000),
        TimeUnit::Microsecond => (column.as_primitive::<TimestampMicrosecondType>().value(row), 1000),
        TimeUnit::Nanosecond => (column.as_primitive::<TimestampNanosecondType>().value(row), 1),
    };
    let moment = jiff::Timestamp::from_nanosecond(i128::from(number) * length);
    let moment = moment.map_err(|_| damaged(format!("a time {number} {unit:?}s from 1970 is out of range")))?;
    let _ = match has_zone {
        true => write!(text, "{moment}"),
        false => write!(text, "{}", moment.to_zoned(jiff::tz::TimeZone::UTC).datetime()),
    };
    Ok(())
}
