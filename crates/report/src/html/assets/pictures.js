// One shot at a time, side by side or divided by a slider.
(() => {
  for (const block of document.querySelectorAll(".pictures")) {
    const shots = [...block.querySelectorAll(".shot")];
    const press = (attribute, value) => {
      for (const button of block.querySelectorAll(`[${attribute}]`)) {
        button.setAttribute("aria-pressed", String(button.getAttribute(attribute) === String(value)));
      }
    };
    const show = (index) => {
      shots.forEach((shot, place) => shot.classList.toggle("put-away", place !== index));
      press("data-shot", index);
    };
    const view = (name) => {
      block.classList.toggle("slider", name === "slider");
      press("data-view", name);
    };
    block.addEventListener("click", (event) => {
      const button = event.target.closest("[data-shot], [data-view]");
      if (!button) return;
      if (button.dataset.shot) show(Number(button.dataset.shot));
      if (button.dataset.view) view(button.dataset.view);
    });
    block.addEventListener("input", (event) => {
      // The same division for every shot, so that moments can be compared.
      if (!event.target.matches(".divide")) return;
      for (const range of block.querySelectorAll(".divide")) range.value = event.target.value;
      block.style.setProperty("--divide", `${event.target.value}%`);
    });
    show(0);
    view(window.innerWidth < 640 ? "slider" : "beside");
  }
})();
