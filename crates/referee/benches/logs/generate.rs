//! Writes the logs that are measured: invented, the same for the same size, kept in the build folder.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use crate::folder;

/// A log in a file.
pub(crate) struct Log {
    pub path: PathBuf,
    pub records: u64,
    /// The point that breaks its rule.
    pub broken_at: u64,
}

impl Log {
    pub(crate) fn bytes(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |about| about.len())
    }
}

/// Numbers that look like chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Writes a log unless it is there.
fn log(name: &str, records: u64, broken_at: u64, write: impl Fn(&mut BufWriter<File>) -> std::io::Result<()>) -> Log {
    let path = folder().join(format!("{name}-{records}.log"));
    if !path.exists() {
        let unfinished = path.with_extension("part");
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&unfinished).expect("the folder is writable"));
        write(&mut out).and_then(|()| out.flush()).expect("there is room");
        std::fs::rename(&unfinished, &path).expect("the log gets its name");
    }
    Log { path, records, broken_at }
}

const PATHS: [&str; 6] =
    ["/", "/index.html", "/static/app.js", "/api/v1/orders", "/api/v1/orders/17", "/search?q=blue+shoes"];
const AGENTS: [&str; 4] = [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
    "curl/8.5.0",
    "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example/)",
];

/// An access log of 5,000 clients. Clients with an even number are refused now and then, and never served; the last line serves one.
pub(crate) fn combined(records: u64) -> Log {
    log("combined", records, records, |out| {
        let mut chance = Chance(7);
        for number in 1..=records {
            let is_last = number == records;
            let client = chance.below(5000);
            let client = if is_last { 0 } else { client };
            let status = match (is_last || client % 2 == 1, chance.below(20)) {
                (true, _) => 200,
                (false, 0..4) => 403,
                (false, 4) => 500,
                (false, _) => 404,
            };
            // The first line refuses whom the last one serves.
            let (client, status) = if number == 1 { (0, 403) } else { (client, status) };
            let second = number / 50;
            let path = PATHS[chance.below(6) as usize];
            writeln!(
                out,
                "10.{}.{}.{} - - [18/Nov/2026:{:02}:{:02}:{:02} +0000] \"GET {path} HTTP/1.1\" {status} {} \"https://shop.example/\" \"{}\"",
                client / 250,
                client % 250,
                client % 7,
                second / 3600 % 24,
                second / 60 % 60,
                second % 60,
                chance.below(50_000),
                AGENTS[chance.below(4) as usize],
            )?;
        }
        Ok(())
    })
}

/// Reads two of the fields of [`combined`].
pub(crate) const TWO_ARGUMENTS: &str = "time = { field = \"time\", format = \"apache\" }\ndrop-others = true\n\n[input]\npatterns = [\"combined\"]\n\n\
     [[event]]\nfrom = \"request\"\nargs = [\"client\", \"status\"]\n";

/// Reads five of the thirty fields of [`nested`].
pub(crate) const NESTED_MAPPING: &str = "drop-others = true\n\n[input]\nformat = \"json\"\nname = \"event.type\"\n\n[[event]]\nfrom = \"*\"\n\
     args = [\"order = order.id:string\", \"user = actor.user.name:string\", \"amount = order.amount.value:int\", \"tenant = tenant:string\"]\n";

/// Records of thirty fields in six objects. Every order is paid and then shipped; the last one is only shipped.
pub(crate) fn nested(records: u64) -> Log {
    log("orders", records, records, |out| {
        let mut chance = Chance(11);
        for number in 1..=records {
            let order = if number == records { records * 2 } else { (number - 1) / 2 };
            let kind = if number % 2 == 1 && number != records { "paid" } else { "shipped" };
            writeln!(
                out,
                "{{\"id\":\"e-{number}\",\"created\":\"2026-11-18T10:{:02}:{:02}.{:03}Z\",\"tenant\":\"t{}\",\"region\":\"eu-central-1\",\"host\":\"node-{}\",\
                 \"pid\":{},\"event\":{{\"type\":\"{kind}\",\"version\":3,\"schema\":\"shop/v3\",\"sequence\":{number}}},\
                 \"actor\":{{\"user\":{{\"name\":\"user{}\",\"id\":{},\"tier\":\"basic\",\"locale\":\"de-DE\"}},\"ip\":\"192.0.2.{}\",\"agent\":\"ShopApp/4.2 (Android 15; Pixel)\"}},\
                 \"order\":{{\"id\":\"o-{order}\",\"amount\":{{\"value\":{},\"currency\":\"EUR\",\"tax\":19}},\"items\":[{{\"sku\":\"A-1\",\"count\":2}},{{\"sku\":\"B-7\",\"count\":1}}],\
                 \"channel\":\"app\",\"note\":\"leave it at the \\\"blue\\\" door\"}},\"trace\":{{\"id\":\"5b8efff798038103d269b633813fc60c\",\"span\":\"eee19b7ec3c1b174\",\"sampled\":true}},\
                 \"latency_ms\":{},\"retries\":0,\"cached\":false,\"labels\":[\"shop\",\"eu\",\"mobile\"],\"source\":\"gateway\",\"level\":\"info\",\"message\":\"order state changed\"}}",
                number / 60_000 % 60,
                number / 1000 % 60,
                number % 1000,
                order % 16,
                chance.below(40),
                chance.below(30_000),
                order % 1000,
                order % 1000,
                chance.below(250),
                order % 500,
                chance.below(900),
            )?;
        }
        Ok(())
    })
}

const VERBS: [&str; 8] = ["get", "list", "watch", "create", "update", "patch", "delete", "get"];
const RESOURCES: [&str; 5] = ["pods", "configmaps", "secrets", "leases", "endpoints"];

/// An audit log; the last request deletes a namespace, and not the administrator's.
pub(crate) fn audit(records: u64) -> Log {
    log("audit", records, records, |out| {
        let mut chance = Chance(13);
        for number in 1..=records {
            let is_last = number == records;
            let verb = if is_last { "delete" } else { VERBS[chance.below(8) as usize] };
            let resource = if is_last { "namespaces" } else { RESOURCES[chance.below(5) as usize] };
            let (namespace, name, user) = (chance.below(40), chance.below(5000), chance.below(200));
            let second = number / 500;
            let clock =
                format!("{:02}:{:02}:{:02}.{:03}", second / 3600 % 24, second / 60 % 60, second % 60, number % 500 * 2);
            writeln!(
                out,
                "{{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"Metadata\",\"auditID\":\"5c1d0000-0000-4000-8000-{number:012}\",\"stage\":\"ResponseComplete\",\
                 \"requestURI\":\"/api/v1/namespaces/ns-{namespace}/{resource}/obj-{name}?timeout=10s\",\"verb\":\"{verb}\",\
                 \"user\":{{\"username\":\"system:serviceaccount:ns-{namespace}:worker-{user}\",\"uid\":\"0a1b2c3d-0000-4000-8000-{user:012}\",\
                 \"groups\":[\"system:serviceaccounts\",\"system:serviceaccounts:ns-{namespace}\",\"system:authenticated\"],\
                 \"extra\":{{\"authentication.kubernetes.io/pod-name\":[\"worker-{user}-7d9f\"],\"authentication.kubernetes.io/pod-uid\":[\"91f0\"]}}}},\
                 \"sourceIPs\":[\"198.51.100.{}\"],\"userAgent\":\"worker/v0.0.0 (linux/amd64) kubernetes/$Format\",\
                 \"objectRef\":{{\"resource\":\"{resource}\",\"namespace\":\"ns-{namespace}\",\"name\":\"obj-{name}\",\"uid\":\"7f00-{name}\",\"apiVersion\":\"v1\",\"resourceVersion\":\"{}\"}},\
                 \"responseStatus\":{{\"metadata\":{{}},\"code\":200}},\"requestReceivedTimestamp\":\"2026-11-18T{clock}000Z\",\"stageTimestamp\":\"2026-11-18T{clock}900Z\",\
                 \"annotations\":{{\"authorization.k8s.io/decision\":\"allow\",\"authorization.k8s.io/reason\":\"RBAC: allowed by RoleBinding \\\"worker/ns-{namespace}\\\" of Role \\\"worker\\\" to ServiceAccount \\\"worker\\\"\"}}}}",
                user % 250,
                number * 3,
            )?;
        }
        Ok(())
    })
}
