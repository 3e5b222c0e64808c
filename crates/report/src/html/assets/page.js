// Language, appearance, folded sections in print. The choice lives in the address' fragment and nowhere else.
"use strict";
window.loopwright = { scenes: [] };
(() => {
  const root = document.documentElement;
  const langs = { en: "en", zh: "zh-CN" };
  const asked = () => new URLSearchParams(location.hash.slice(1));

  const mark = (name, value) => {
    for (const button of document.querySelectorAll(`[data-set-${name}]`)) {
      button.setAttribute("aria-pressed", String(button.getAttribute(`data-set-${name}`) === value));
    }
  };
  const look = () => document.dispatchEvent(new Event("loopwright:look"));

  const setLang = (lang) => {
    root.dataset.lang = lang;
    root.lang = langs[lang];
    for (const name of ["alt", "title", "aria-label", "data-name"]) {
      for (const element of document.querySelectorAll(`[data-${lang}-${name}]`)) {
        element.setAttribute(name, element.getAttribute(`data-${lang}-${name}`));
      }
    }
    for (const element of document.querySelectorAll(`title[data-${lang}]`)) {
      element.textContent = element.getAttribute(`data-${lang}`);
    }
    mark("lang", lang);
    look();
  };
  const setTheme = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    mark("theme", theme);
    look();
  };
  const remember = () => {
    const theme = root.dataset.theme ? `&theme=${root.dataset.theme}` : "";
    history.replaceState(null, "", `#lang=${root.dataset.lang}${theme}`);
  };
  const adopt = () => {
    const wanted = asked();
    if (wanted.get("lang") in langs) setLang(wanted.get("lang"));
    if (["light", "dark"].includes(wanted.get("theme"))) setTheme(wanted.get("theme"));
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-set-lang], [data-set-theme]");
    if (!button) return;
    if (button.dataset.setLang) setLang(button.dataset.setLang);
    if (button.dataset.setTheme) setTheme(button.dataset.setTheme);
    remember();
  });
  window.addEventListener("hashchange", adopt);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", look);

  // What is folded is printed too, and folded again afterwards.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const details of opened) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });

  root.classList.add("scripted");
  setLang(root.dataset.lang);
  setTheme("auto");
  adopt();
})();
