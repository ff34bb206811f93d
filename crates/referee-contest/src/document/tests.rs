use super::*;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Garden {
    #[allow(dead_code)]
    name: String,
    #[serde(default)]
    #[allow(dead_code)]
    trees: Vec<Tree>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    #[allow(dead_code)]
    height: u32,
}

fn read(file: &str, text: &str) -> Result<Document<Garden>, DocumentError> {
    Document::parse(Path::new(file), text.to_owned())
}

fn complaint(file: &str, text: &str) -> String {
    read(file, text).expect_err("something is wrong").to_string()
}

#[test]
fn structure_is_checked_with_a_place() {
    assert_eq!(
        complaint("g.toml", "name = \"Kew\"\ntreees = []\n"),
        "g.toml:2:1: unknown field `treees`, expected `name` or `trees`\n  hint: did you mean `trees`?"
    );
    assert_eq!(
        complaint("g.toml", "name = \"Kew\"\n[[trees]]\nheight = -3\n"),
        "g.toml:3:10: invalid value: integer `-3`, expected u32"
    );
    assert_eq!(
        complaint("g.json", "{\"name\": \"Kew\",\n \"tree\": []}"),
        "g.json:2:7: unknown field `tree`, expected `name` or `trees`\n  hint: did you mean `trees`?"
    );
    assert!(complaint("g.json", "{").contains("g.json:1:1: EOF"));
}

#[test]
fn meaning_is_checked_with_a_place() {
    let garden = read("g.toml", "name = \"Kew\"\n[[trees]]\nheight = 3\n[[trees]]\nheight = 4\n").expect("a garden");
    let error = garden.error(Wrong::at("trees[1].height", "too high").hint("cut it"));
    assert_eq!(error.to_string(), "g.toml:5:10: too high\n  hint: cut it");
    // What is missing is complained of where it should be.
    assert_eq!(garden.error(Wrong::at("trees[0].owner", "nobody's")).place, Some((2, 1)));
    assert_eq!(garden.error(Wrong::at("gate", "no way in")).to_string(), "g.toml: gate: no way in");
    assert_eq!(garden.error(Wrong::at("", "no way in")).to_string(), "g.toml: no way in");
}
