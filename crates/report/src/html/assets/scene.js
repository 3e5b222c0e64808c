// The replay. A frame is a function of the step alone: it is drawn from the lists the page carries, never from the
// frame before, so that a step looks the same however it was reached.
(() => {
  const styleOf = (root, selector, name) => {
    const element = root.querySelector(selector);
    return element ? getComputedStyle(element).getPropertyValue(name) : "gray";
  };
  const held = (list, step) => list[Math.min(step, list.length - 1)];

  const makeSide = (root, data, shared) => {
    const canvas = root.querySelector("canvas");
    const pen = canvas.getContext("2d");
    const [left, bottom, width, height] = shared.field;
    const scale = Math.min(canvas.width / width, canvas.height / height);
    const across = (x) => (x - left) * scale;
    const down = (y) => canvas.height - (y - bottom) * scale;
    const bands = [...root.querySelectorAll(".now > span")];
    const counters = [...root.querySelectorAll("[data-counter]")];
    let look = null;

    const readLook = () => {
      look = {
        groups: data.groups.map((_, index) => styleOf(root, `.g${index % 8}`, "background-color")),
        actors: data.actors.map((_, index) => styleOf(root, `.a${index % 4}`, "border-top-color")),
        ink: getComputedStyle(root).color,
        ground: getComputedStyle(canvas).backgroundColor,
        names: [...root.querySelectorAll(".actor-name")].map((name) => name.innerText.trim()),
      };
    };

    const draw = (wanted) => {
      if (!look) readLook();
      const step = Math.min(wanted, data.last);
      const seconds = step * shared.seconds;
      let alive = 0;
      pen.clearRect(0, 0, canvas.width, canvas.height);
      data.groups.forEach((radius, group) => {
        const size = Math.max(radius * scale, 2);
        pen.beginPath();
        for (let index = 0; index < data.spawn.length; index += 1) {
          if (data.group[index] !== group || data.spawn[index] > step || step >= data.end[index]) continue;
          const age = step - data.spawn[index];
          const x = across(data.x[index] + data.dx[index] * age);
          const y = down(data.y[index] + data.dy[index] * age);
          pen.moveTo(x + size, y);
          pen.arc(x, y, size, 0, 2 * Math.PI);
          alive += 1;
        }
        pen.fillStyle = look.groups[group];
        pen.fill();
      });
      // A name is as large on a phone as on a desk, however far the canvas is scaled.
      const text = (12 * canvas.width) / (canvas.clientWidth || canvas.width);
      pen.font = `${text}px system-ui, sans-serif`;
      data.actors.forEach((actor, index) => {
        if (actor.x.length === 0) return;
        const x = across(held(actor.x, step)), y = down(held(actor.y, step));
        pen.beginPath();
        pen.arc(x, y, Math.max(actor.r * scale, 5), 0, 2 * Math.PI);
        pen.lineWidth = 3;
        pen.strokeStyle = look.actors[index];
        pen.stroke();
        pen.beginPath();
        pen.arc(x, y, 2.5, 0, 2 * Math.PI);
        pen.fillStyle = look.actors[index];
        pen.fill();
        pen.textAlign = "center";
        pen.fillStyle = look.ink;
        const beside = Math.max(actor.r * scale, 5) + text * 1.1;
        const line = y + beside > canvas.height - 6 ? y - beside + text / 2 : y + beside;
        pen.lineWidth = text / 3;
        pen.lineJoin = "round";
        pen.strokeStyle = look.ground;
        pen.strokeText(look.names[index] ?? "", x, line);
        pen.fillText(look.names[index] ?? "", x, line);
      });
      for (const [at, x, y] of data.marks) {
        const age = seconds - at;
        if (age < -shared.seconds / 2 || age > 0.6) continue;
        pen.beginPath();
        pen.arc(across(x), down(y), 14 + Math.max(age, 0) * 60, 0, 2 * Math.PI);
        pen.lineWidth = 3;
        pen.strokeStyle = look.ink;
        pen.stroke();
      }
      bands.forEach((band, index) => {
        band.hidden = !(data.bands[index][0] <= seconds && seconds < data.bands[index][1]);
      });
      counters.forEach((place, index) => { place.textContent = held(data.counters[index], step) ?? "–"; });
      root.querySelector(".ended").hidden = wanted <= data.last || data.last + 1 >= shared.steps;
      const drawn = root.querySelector(".drawn-now");
      if (drawn) drawn.textContent = alive;
      root.dataset.step = step;
      root.dataset.alive = alive;
      return alive;
    };
    return { draw, forget: () => { look = null; }, alive: () => Number(root.dataset.alive) };
  };

  const makeScene = (figure) => {
    const data = JSON.parse(figure.querySelector(".scene-data").textContent);
    const roots = [...figure.querySelectorAll(".side")];
    const sides = roots.map((root, index) => makeSide(root, data.sides[index], data));
    const range = figure.querySelector(".seek input");
    const clock = figure.querySelector(".clock");
    const speed = figure.querySelector(".speed");
    const last = Math.max(data.steps - 1, 0);
    let step = data.still, playing = false, before = 0, rest = 0;

    const seek = (wanted) => {
      step = Math.min(Math.max(Math.round(wanted), 0), last);
      for (const side of sides) side.draw(step);
      range.value = step;
      const seconds = (step * data.seconds).toFixed(2);
      clock.textContent = `${seconds} / ${(last * data.seconds).toFixed(2)} s`;
      range.setAttribute("aria-valuetext", `${seconds} s`);
      figure.style.setProperty("--part", last ? step / last : 0);
    };
    const setPlaying = (wanted) => {
      playing = wanted;
      figure.querySelector(".to-play").hidden = playing;
      figure.querySelector(".to-pause").hidden = !playing;
      if (!playing) return;
      if (step >= last) seek(0);
      before = performance.now();
      rest = 0;
      requestAnimationFrame(advance);
    };
    const advance = (now) => {
      if (!playing) return;
      // Whole steps only: what is left of the time is kept for the next frame. A hidden page does not catch up.
      rest += (Math.min(Math.max(now - before, 0), 250) / 1000 / data.seconds) * Number(speed.value);
      before = now;
      const whole = Math.floor(rest);
      rest -= whole;
      if (whole > 0) seek(step + whole);
      if (step >= last) setPlaying(false);
      else requestAnimationFrame(advance);
    };

    const pauseAt = (wanted) => { setPlaying(false); seek(wanted); };
    range.addEventListener("input", () => pauseAt(Number(range.value)));
    figure.querySelector(".play").addEventListener("click", () => setPlaying(!playing));
    figure.querySelector(".back").addEventListener("click", () => pauseAt(step - 1));
    figure.querySelector(".forth").addEventListener("click", () => pauseAt(step + 1));
    figure.addEventListener("keydown", (event) => {
      // A list or a slider that has the focus keeps its own keys, and a button its space bar.
      const own = event.target.closest("input, select") || (event.key === " " && event.target.closest("button"));
      if (own || event.ctrlKey || event.metaKey || event.altKey) return;
      const stride = event.shiftKey ? Math.round(1 / data.seconds) : 1;
      const moves = {
        " ": () => setPlaying(!playing),
        ArrowLeft: () => pauseAt(step - stride),
        ArrowRight: () => pauseAt(step + stride),
        Home: () => pauseAt(0),
        End: () => pauseAt(last),
      };
      if (!moves[event.key]) return;
      event.preventDefault();
      moves[event.key]();
    });
    document.addEventListener("loopwright:look", () => {
      for (const side of sides) side.forget();
      seek(step);
    });
    seek(step);
    return { seek: pauseAt, last, step: () => step, alive: (side) => sides[side].alive() };
  };

  for (const figure of document.querySelectorAll(".scene")) window.loopwright.scenes.push(makeScene(figure));
  // Asked to show its last step, a page shows it: this is how a test compares the drawing with the figures.
  if (new URLSearchParams(location.hash.slice(1)).has("test")) {
    for (const scene of window.loopwright.scenes) scene.seek(scene.last);
    window.addEventListener("load", () => {
      const requests = performance.getEntriesByType("resource").map((entry) => entry.name);
      document.documentElement.dataset.requests = requests.join(" ");
      document.documentElement.dataset.tested = String(window.loopwright.scenes.length);
    });
  }
})();
