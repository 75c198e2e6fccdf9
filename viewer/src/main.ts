import { App } from "./app";
import { bytesOfBase64, decode, type Facts } from "./data";
import { el } from "./dom";
import "./style.css";

function start() {
  const facts = document.getElementById("facts");
  const columns = document.getElementById("columns");
  if (!facts || !columns) {
    document.body.append(el("p", { class: "empty" }, "This page holds no profile. bursar view FILE makes one that does."));
    return;
  }
  try {
    const data = decode(JSON.parse(facts.textContent!) as Facts, bytesOfBase64(columns.textContent!));
    facts.remove();
    columns.remove();
    new App(data).start();
  } catch (error) {
    document.body.append(el("p", { class: "empty" }, `The profile in this page cannot be shown: ${(error as Error).message}`));
  }
}

start();
