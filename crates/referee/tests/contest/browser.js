"use strict";
(() => {
  const found = { errors: [] };
  addEventListener("error", (event) => found.errors.push(event.message));
  const all = (selector) => [...document.querySelectorAll(selector)];
  const visible = (element) => !element.hidden;
  const brightness = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((part) => Number(part) / 255);
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const look = () => getComputedStyle(document.body);
  const dark = () => brightness(look().backgroundColor) < 0.5;
  try {
    found.width = innerWidth;
    found.overflow = Math.max(0, document.documentElement.scrollWidth - innerWidth);
    found.ranking = all(".ranking tbody th").map((cell) => cell.textContent);
    found.dark = dark();
    const [ink, page] = [brightness(look().color), brightness(look().backgroundColor)];
    found.contrast = (Math.max(ink, page) + 0.05) / (Math.min(ink, page) + 0.05);
    document.getElementById("theme").click();
    found.dark_after_switch = dark();
    document.getElementById("theme").click();

    const filter = document.getElementById("filter");
    const rows = all("[data-name]");
    found.rows = rows.length;
    const type = (text) => {
      filter.value = text;
      filter.dispatchEvent(new Event("input"));
      return rows.filter(visible).length;
    };
    const word = rows[0].dataset.name.split(" ")[0];
    found.matching = rows.filter((row) => row.dataset.name.toLowerCase().includes(word.toLowerCase())).length;
    found.filtered = type(word);
    type("no such benchmark");
    if (rows.some(visible)) found.errors.push("the filter keeps what does not match");
    found.unfiltered = type("");

    const plots = all("figure > svg");
    found.plots = plots.length;
    found.empty_plots = plots.filter((plot) => {
      const box = plot.getBoundingClientRect();
      return box.width < 100 || box.height < 100 || !plot.querySelector("circle, polyline, g.s path");
    }).length;
    found.scatter_changed = all("figure.scatter").every((figure) => {
      const before = figure.querySelector("svg").getAttribute("aria-label");
      const select = figure.querySelectorAll("select.pick")[1];
      select.selectedIndex = 0;
      select.dispatchEvent(new Event("change"));
      return figure.querySelector("svg").getAttribute("aria-label") !== before;
    });

    found.unlabelled = all("svg[role=img]:not([aria-label]), select:not([aria-label]), .scroll:not([aria-label])").length;
    dispatchEvent(new Event("beforeprint"));
    found.printed_details = all("details").every((details) => details.open);
    dispatchEvent(new Event("afterprint"));
    const link = document.querySelector(".matrix td.good a");
    const target = document.getElementById(link.getAttribute("href").slice(1));
    location.hash = link.getAttribute("href");
    setTimeout(() => {
      found.unfolded = target.closest("details").open;
      found.formula = target.querySelector(".formula").textContent;
      report();
    }, 300);
  } catch (error) {
    found.errors.push(String(error));
    report();
  }
  function report() {
    const text = document.createElement("pre");
    text.id = "found";
    text.textContent = JSON.stringify(found);
    document.body.append(text);
  }
})();
