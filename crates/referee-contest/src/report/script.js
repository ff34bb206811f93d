"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Colours: as the system has them, until somebody chooses.
  const button = document.getElementById("theme");
  button.hidden = false;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  // The filter keeps rows and sections whose name has all of its words.
  const filter = document.getElementById("filter");
  filter.closest("label").hidden = false;
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const element of all("[data-name]")) {
      const name = element.dataset.name.toLowerCase();
      element.hidden = !words.every((word) => name.includes(word));
    }
  });

  // A link into something folded unfolds it.
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = target && target.closest("details");
    if (folded && !folded.open) {
      folded.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Paper cannot be unfolded.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    opened.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => opened.forEach((details) => (details.open = false)));

  // The scatter plot of any two tools: the points move, the axes stay.
  const seconds = (value) =>
    value >= 1 ? value.toPrecision(3) + " s" : value >= 1e-3 ? (value * 1e3).toFixed(1) + " ms" : (value * 1e6).toFixed(0) + " µs";
  for (const figure of all("figure.scatter")) {
    const data = JSON.parse(document.getElementById(figure.dataset.track + "-times").textContent);
    const [first, second] = all("select.pick", figure);
    const svg = figure.querySelector("svg");
    const group = svg.querySelector("g.s");
    const line = svg.querySelector(".even");
    if (!group || !line) continue;
    const [x0, y0, x1, y1] = line.getAttribute("d").match(/[\d.]+/g).map(Number);
    const times = data.rows.flatMap((row) => row.slice(1)).filter((time) => time > 0);
    const low = Math.floor(Math.log10(Math.min(...times)));
    const high = Math.max(Math.ceil(Math.log10(Math.max(...times))), low + 1);
    const place = (value) => (Math.log10(value) - low) / (high - low);
    const names = all("text.axis", svg);
    const draw = () => {
      const [a, b] = [first, second].map((select) => data.tools.indexOf(select.value) + 1);
      const both = data.rows.filter((row) => row[a] > 0 && row[b] > 0);
      group.replaceChildren(
        ...both.map((row) => {
          const circle = document.createElementNS(svg.namespaceURI, "circle");
          circle.setAttribute("cx", x0 + (x1 - x0) * place(row[a]));
          circle.setAttribute("cy", y0 + (y1 - y0) * place(row[b]));
          circle.setAttribute("r", 3.5);
          const title = document.createElementNS(svg.namespaceURI, "title");
          title.textContent = `${row[0]}: ${seconds(row[a])} and ${seconds(row[b])}`;
          circle.append(title);
          return circle;
        }),
      );
      names[0].textContent = first.value;
      names[1].textContent = second.value;
      svg.setAttribute("aria-label", `${first.value} against ${second.value}: ${both.length} benchmarks`);
    };
    for (const select of [first, second]) {
      select.disabled = false;
      select.addEventListener("change", draw);
    }
  }
})();
