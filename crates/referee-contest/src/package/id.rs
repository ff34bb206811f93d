//! The name under which a script gets a benchmark.

/// The CamelCase form of a name: `Very interesting property` becomes `VeryInterestingProperty`.
///
/// Words are runs of letters and digits; each begins with a capital and keeps the rest as it is, so that `HasNext` stays
/// what it is. An apostrophe joins (`Nokia's` is one word).
pub fn camel_case(name: &str) -> String {
    let name: String = name.chars().filter(|c| !matches!(c, '\'' | '’')).collect();
    name.split(|c: char| !c.is_alphanumeric()).map(capitalised).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn names_become_ids() {
        for (name, id) in [
            ("Very interesting property", "VeryInterestingProperty"),
            ("HasNext", "HasNext"),
            ("has next (on DaCapo Avrora)", "HasNextOnDaCapoAvrora"),
            (
                "Data usage in Nokia's Lausanne data-collection campaign",
                "DataUsageInNokiasLausanneDataCollectionCampaign",
            ),
            ("  spaces  everywhere ", "SpacesEverywhere"),
            ("4.3.10 insert", "4310Insert"),
            ("über alles", "ÜberAlles"),
            ("?!", ""),
        ] {
            assert_eq!(camel_case(name), id, "{name}");
        }
    }
}
