// The reading line of a chart: what every line says at the place that is pointed at.
(() => {
  const plain = (value, whole, span) => {
    if (whole) return String(Math.round(value));
    const decimals = Math.max(0, Math.min(4, 3 - Math.floor(Math.log10(span || 1))));
    return String(Number(value.toFixed(decimals)));
  };
  // The paths hold absolute M, L, H and V commands only; see series.rs.
  const pointsOf = (path) => {
    const points = [];
    let x = 0, y = 0, fresh = false;
    for (const [, command, numbers] of path.getAttribute("d").matchAll(/([MLHV])([^MLHV]*)/g)) {
      const [first, second] = numbers.trim().split(" ").map(Number);
      if (command === "H") x = first;
      else if (command === "V") y = first;
      else [x, y] = [first, second];
      fresh = command === "M";
      points.push({ x, y, fresh });
    }
    return points;
  };
  const valueAt = (points, x, steps) => {
    let low = 0, high = points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points[middle].x <= x) low = middle + 1;
      else high = middle;
    }
    const before = points[low - 1], after = points[low];
    if (!before || (!after && x > before.x + 0.5) || (after && after.fresh && x > before.x)) return null;
    if (steps || !after || after.x === before.x) return before.y;
    return before.y + ((after.y - before.y) * (x - before.x)) / (after.x - before.x);
  };

  for (const body of document.querySelectorAll(".plot-body")) {
    const lines = [...body.querySelectorAll("path.line")].map((path) => ({ path, points: pointsOf(path) }));
    if (lines.length === 0) continue;
    const [xLow, xHigh] = body.dataset.x.split(" ").map(Number);
    const [yLow, yHigh] = body.dataset.y.split(" ").map(Number);
    const reader = document.createElement("div");
    const box = document.createElement("p");
    reader.className = "reader no-print";
    reader.hidden = true;
    reader.append(box);
    body.append(reader);
    body.addEventListener("pointermove", (event) => {
      const area = body.getBoundingClientRect();
      const part = Math.min(1, Math.max(0, (event.clientX - area.left) / area.width));
      const rows = lines.map(({ path, points }) => {
        const down = valueAt(points, part * 1000, path.hasAttribute("data-steps"));
        const value = down === null ? "–"
          : plain(yLow + (1 - down / 400) * (yHigh - yLow), path.hasAttribute("data-whole"), yHigh - yLow);
        return `${path.getAttribute("data-name")} ${value}`;
      });
      box.textContent = [plain(xLow + part * (xHigh - xLow), false, xHigh - xLow), ...rows].join("\n");
      reader.style.left = `${part * 100}%`;
      reader.classList.toggle("right", part > 0.6);
      reader.hidden = false;
    });
    body.addEventListener("pointerleave", () => { reader.hidden = true; });
  }
})();
