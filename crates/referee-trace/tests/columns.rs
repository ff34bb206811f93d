//! Files of columns, Parquet and Arrow: their rows are read like those of a table with a header.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, RecordBatch,
    StringArray, StructArray, TimestampMillisecondArray, UInt64Array,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use referee_trace::error::Flow;
use referee_trace::event::{Event, EventShape, EventSink, NoRows, Point};
use referee_trace::format::Format;
use referee_trace::mapping::Mapping;
use referee_trace::raw::{ShapeId, Want};
use referee_trace::reader::{ReadOptions, read};

/// Writes down events as `@time name(argument=value,…)`.
#[derive(Default)]
struct Listener {
    heard: Vec<String>,
    shapes: Vec<EventShape>,
    time: String,
}

impl EventSink for Listener {
    type Rows = NoRows;

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Want {
        self.shapes.push(shape.clone());
        Want::ALL
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        self.time = point.time.map(|time| format!("@{time} ")).unwrap_or_default();
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let EventShape { name, arguments, .. } = &self.shapes[event.shape.index()];
        let pairs = arguments.iter().zip(event.arguments);
        let shown: Vec<String> = pairs.map(|(argument, value)| format!("{}={value}", argument.name)).collect();
        self.heard.push(format!("{}{name}({})", self.time, shown.join(",")));
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}

fn events(path: &Path, mapping: &str) -> Result<Vec<String>, String> {
    let mut options = ReadOptions::default();
    options.meaning.mapping = Mapping::parse(mapping, "mapping").expect("the mapping is right");
    let mut listener = Listener::default();
    let summary = read(&[path], &options, &mut listener).map_err(|error| error.to_string())?;
    assert_eq!(summary.format, Some(Format::Csv));
    Ok(listener.heard)
}

fn batch() -> RecordBatch {
    let mut tags = ListBuilder::new(StringBuilder::new());
    tags.append_value([Some("a"), None, Some("b, c")]);
    tags.append_null();
    let mut kinds = StringDictionaryBuilder::<Int32Type>::new();
    kinds.append_value("login");
    kinds.append_value("pay \"now\"");
    let user = StructArray::from(vec![
        (
            Arc::new(Field::new("name", DataType::Utf8, true)),
            Arc::new(StringArray::from(vec![Some(""), Some("bob")])) as ArrayRef,
        ),
        (
            Arc::new(Field::new("id", DataType::UInt64, true)),
            Arc::new(UInt64Array::from(vec![u64::MAX, 2])) as ArrayRef,
        ),
    ]);
    let amount = Decimal128Array::from(vec![Some(1250), None]).with_precision_and_scale(10, 2).expect("a decimal");
    let at = TimestampMillisecondArray::from(vec![1000, 2500]).with_timezone("UTC");
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("kind", Arc::new(kinds.finish())),
        ("user", Arc::new(user)),
        ("amount", Arc::new(amount)),
        ("at", Arc::new(at)),
        ("local", Arc::new(TimestampMillisecondArray::from(vec![Some(1), None]))),
        ("day", Arc::new(Date32Array::from(vec![0, -1]))),
        ("ok", Arc::new(BooleanArray::from(vec![true, false]))),
        ("x", Arc::new(Float64Array::from(vec![0.1, -2.0]))),
        ("n", Arc::new(Int64Array::from(vec![Some(i64::MIN), None]))),
        ("tags", Arc::new(tags.finish())),
        ("raw", Arc::new(BinaryArray::from(vec![b"ab".as_slice(), &[0xff, 0]]))),
    ];
    let fields: Vec<Field> =
        columns.iter().map(|(name, column)| Field::new(*name, column.data_type().clone(), true)).collect();
    let columns = columns.into_iter().map(|(_, column)| column).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).expect("the columns are as long as each other")
}

/// The same batch as a Parquet file, an Arrow file and an Arrow stream.
fn files() -> (tempfile::TempDir, Vec<std::path::PathBuf>) {
    let directory = tempfile::tempdir().expect("a directory");
    let paths: Vec<_> = ["t.parquet", "t.arrow", "t.arrows"].map(|name| directory.path().join(name)).into();
    let create = |path: &Path| File::create(path).expect("a file");
    let batch = batch();
    let mut parquet = ArrowWriter::try_new(create(&paths[0]), batch.schema(), None).expect("a writer");
    parquet.write(&batch).expect("written");
    parquet.close().expect("closed");
    let mut file = FileWriter::try_new(create(&paths[1]), &batch.schema()).expect("a writer");
    file.write(&batch).expect("written");
    file.finish().expect("closed");
    let mut stream = StreamWriter::try_new(create(&paths[2]), &batch.schema()).expect("a writer");
    stream.write(&batch).expect("written");
    stream.finish().expect("closed");
    (directory, paths)
}

#[test]
fn rows_are_events_like_those_of_a_table() {
    let mapping = "time = { field = \"at\", format = \"rfc3339\", unit = \"ms\" }\n[input]\nname = \"kind\"\n";
    let expected = [
        "@1000 login(user.name=,user.id=18446744073709551615,amount=12.50,local=1970-01-01T00:00:00.001,day=1970-01-01,\
         ok=true,x=0.1,n=-9223372036854775808,tags=[a, , b, c],raw=ab,at=1970-01-01T00:00:01Z)",
        "@2500 pay \"now\"(user.name=bob,user.id=2,day=1969-12-31,ok=false,x=-2,raw=ff00,at=1970-01-01T00:00:02.5Z)",
    ];
    let (_directory, paths) = files();
    for path in paths {
        assert_eq!(events(&path, mapping).as_deref(), Ok(expected.map(String::from).as_slice()), "{}", path.display());
    }
}

#[test]
fn without_a_mapping_rows_are_called_row() {
    let (_directory, paths) = files();
    let found = events(&paths[0], "").expect("the file is read");
    assert!(found[0].starts_with("row(kind=login,user.name=,"), "{found:?}");
    let wrong = events(&paths[1], "[input]\npatterns = [\"combined\"]").expect_err("lines are no columns");
    assert!(wrong.contains("this file holds columns, but the mapping says that it is lines"), "{wrong}");
}

#[test]
fn damaged_files_are_errors_with_the_file() {
    let (directory, paths) = files();
    for path in &paths {
        let bytes = std::fs::read(path).expect("the file is there");
        for end in [8, 12, bytes.len() / 2, bytes.len() - 1] {
            let cut = directory.path().join("cut");
            std::fs::write(&cut, &bytes[..end]).expect("written");
            if let Err(error) = events(&cut, "") {
                assert!(error.starts_with(&cut.display().to_string()), "{error}");
            }
        }
    }
}
