//! Inputs that readers stumble over: the seeds of the fuzz targets and of their test.

use referee_trace::event::{Argument, Event, EventShape, EventSink, Point};
use referee_trace::format::Format;
use referee_trace::number::Number;
use referee_trace::raw::ShapeId;
use referee_trace::write::TraceSink;

/// Texts in all formats, most of them slightly wrong.
pub const CORPUS: &[&str] = &[
    "",
    "\n",
    " ",
    "\r",
    "a",
    "a,1\n",
    "event\n",
    "event,x,y\na,1,2\nb,,2\nc\n",
    "event, x\r\na, \"1\"\rb,2",
    "event,x\na,1,2\n",
    "event,x,x\na,1,2\n",
    "event,\na,1\n",
    "a,\"x\"\"y\"\nb,\"\n\"\n",
    "a,\"x\n",
    "a,\"x\"y\n",
    "disk,5\" or 3\"\n",
    ",1\n",
    "a,,,,\n",
    "a, x = 1, y=2\nb\n",
    "a,x=1=2,\"k=v\",l=\"w\"\n",
    "a,=1\n",
    "a,x\n",
    "<log></log>",
    "<log/>",
    "<?xml version='1.0' encoding='utf-8'?><!-- c --><log><event><name>a</name></event></log>",
    "<log><event><name>a</name><field><name>x</name><value>1</value></field></event></log>",
    "<log><event><field><value> 1 </value><name>x</name></field><name>a&amp;b</name></event></log>",
    "<log><event k='v'><name><![CDATA[ a ]]></name><field><name>x</name><value/></field></event></log>",
    "<log><event><name>a</name><field><name>x</name><value>&#65;&#x42;&lt;</value></field></event>",
    "<log><event><name>a</nme></event></log>",
    "<!DOCTYPE log [<!ENTITY a 'b'>]><log/>",
    "<log><event><name>&lol;</name></event></log>",
    "<log><event><name>a]]></name></event></log>",
    "<log><!-- -- --></log>",
    "<log xes.version='1.0'><global scope='event'><int key='a' value='1'/></global><trace><string key='concept:name' value='c&amp;d'/><event><string key='concept:name' value='a'><id key='x' value=''/></string><list key='l'><values/></list></event></trace></log>",
    "<log><trace><event/></trace></log>",
    "<log><event><string key='concept:name' value='a'/><string key='x' value='1\r\n2'/></event></log>",
    "__CURSOR=a\nMESSAGE=b\nNOTE\n=c\\nd\n\n\n__CURSOR=b",
    "__CURSOR=a\nNOTE\n\n",
    "1.2.3.4 - - [18/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"x\"\nnone\n",
    "t;\"u\"\n1;\"a;\"\"\nb\"\n2\n",
    "{\"x\":1,\"a\":[{\"x\":2,\"b\":[{\"x\":3,\"y\":{\"z\":\"\\u0041\"},\"k\":[{\"x\":1,\"y\":2}]},{}]}]}",
    "{\"event\":\"a\",\"y\":{\"z\":[1,{\"w\":null}]}}",
    "[]",
    "[{\"a\":{\"x\":\"1\"}},{\"b\":{}}]",
    "{\"a\":{\"x\":1,\"y\":true,\"z\":null}}\n{\"a\":{\"x\":2}}",
    "{\"a\":{},\"a\":{\"x\":\"\\u00e9\\n\\ud83d\\ude00\"}}",
    "{\"event\":\"a\",\"x\":-0.5e3}",
    "{\"x\":1,\"event\":\"a\"}",
    "a: {x: \"1\"} b: {}",
    "a : {x:\"1\",}",
    "{\"a\":[1]}",
    "{\"a\":{\"x\":\"\\ud800\"}}",
    "{\"a\":{\"x\":01}}",
    "[{\"a\":{}},",
    "a\nx = 1\ny = 2 = 3\n\nb\n",
    "a\nx = 1\ny\n",
    "x = 1\n",
    "a\r\nx = 1\r\n\r\nb\r\n",
    "@1 a (1)(2) b\n@2;\n@3 c (\"x,y\", z);\n",
    "@1 a (1)\n@0 b",
    "@1 a (1",
    "@1.5 a () # comment\n b (\"\\\"\\\\\\n\")",
    "@ a",
    "a(1).b(2,x)",
    "a(1.5).\nb.c()",
    "17 @32 a(1)\n17 @32 b(2)\n18 @33 c",
    "a(\"x.y\", \"\\\"\")",
    "a(1",
    "a(1)b(2)",
    "# comment\na(1)",
    "a..b",
    "é(ü).\u{1F600}",
    "time = { field = 'ts', unit = 'ms' }\nsplit = 'log'\n",
    "drop-others = true\n[[event]]\nfrom = 'a'\nwhen = 'x = 1 and not has z'\nto = '{name}_{y}'\nargs = ['n = x:int']\n",
    "[[event]]\nfrom = '*'\nwhen = '(x < 2 or y != \"t\") and `x` >= 0.5'\n",
    "[[event]]\nfrom = 'a'\nto = '{{{x}}}'\nargs = []\n",
    "time = { field = ['Timestamp', 'ts'], format = 'rfc3339', optional = true }\n",
    "[[event]]\nfrom = 'a'\nwhen = '((((((((((x=1))))))))))'\n",
    "tiem = 1\n",
    "[[event]]\nto = '{'\n",
];

/// A trace as the writer of each format puts it down, so that a format has seeds without being named here.
pub fn written() -> Vec<String> {
    Format::ALL.into_iter().filter_map(text_in).collect()
}

fn text_in(format: Format) -> Option<String> {
    let mut text = Vec::new();
    let mut sink = TraceSink::new(format, true, &mut text, None);
    let argument = |name: &str| Argument { name: name.into(), declared: None };
    let arguments = ["x", "y"].map(argument);
    sink.shape(ShapeId(0), &EventShape { name: "a".into(), arguments: arguments.into(), positional: 2 });
    for (number, values) in (1..).zip([["1", "b c"], ["-2.5", "\"q\", r=s"], ["", "é"]]) {
        let time = Number::from(3 * number);
        let point = Point { trace: 1, number: number.cast_unsigned(), time: Some(&time) };
        let event = Event { shape: ShapeId(0), arguments: &values, number: point.number, offset: 0 };
        sink.single_event(point, event).ok()?;
    }
    sink.finish().ok()?;
    String::from_utf8(text).ok()
}
