//! `referee cat`: a trace in abstract form, one event per line.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use referee_trace::error::{Flow, Stop};
use referee_trace::event::{Event, EventShape, EventSink, NoRows, Point};
use referee_trace::raw::{ShapeId, Want};
use referee_trace::write::Term;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input::{self, ReadArgs};
use crate::view::ViewArgs;

/// Print events in abstract form, one per line, with position and time
#[derive(Debug, Args)]
pub(crate) struct CatArgs {
    /// Trace files, read as one trace; `-` is standard input
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    view: ViewArgs,
    /// Stop after this many events
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
}

/// Runs the command.
pub(crate) fn run(args: &CatArgs) -> Result<ExitStatus, Failure> {
    let options = args.view.options(&args.read, &args.traces)?;
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut printer = Printer { out, left: args.limit, shapes: Vec::new(), head: String::new(), failure: None };
    let outcome = match args.limit {
        Some(0) => Ok(()),
        _ => input::read(&args.traces, &options, &mut printer).map(|summary| args.view.tell(&summary)),
    };
    // What was read before an error is shown before it.
    printer.out.flush()?;
    match printer.failure {
        Some(error) => Err(error.into()),
        None => Ok(outcome.map(|()| ExitStatus::Fine)?),
    }
}

/// Prints `17 @32 a(1,x)`.
struct Printer<'a> {
    out: BufWriter<StdoutLock<'a>>,
    left: Option<u64>,
    shapes: Vec<(Arc<str>, usize)>,
    head: String,
    failure: Option<io::Error>,
}

impl Printer<'_> {
    fn line(&mut self, event: &Event<'_>) -> io::Result<()> {
        let (name, positional) = &self.shapes[event.shape.index()];
        let term = Term { name, values: &event.arguments[..*positional] };
        writeln!(self.out, "{} {term}", self.head)
    }
}

impl EventSink for Printer<'_> {
    type Rows = NoRows;

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Want {
        self.shapes.push((shape.name.clone(), shape.positional));
        Want::fields(0..shape.positional)
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        self.head = match point.time {
            Some(time) => format!("{} @{time}", point.number),
            None => point.number.to_string(),
        };
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Err(error) = self.line(&event) {
            self.failure = Some(error);
            return Err(Stop::Enough);
        }
        match &mut self.left {
            Some(left) if *left <= 1 => Err(Stop::Enough),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}
