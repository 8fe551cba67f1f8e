// Search while typing. Only the newest answer is shown; Enter asks the whole question.
const form = document.getElementById("search");
const field = document.getElementById("q");
const hits = document.getElementById("hits");
let waits;
let asked;

async function look() {
  asked?.abort();
  asked = new AbortController();
  const query = new URLSearchParams(new FormData(form));
  history.replaceState(null, "", `/search?${query}`);
  query.set("typing", "1");
  try {
    const answer = await fetch(`/search?${query}`, { signal: asked.signal, redirect: "error" });
    if (answer.ok) hits.innerHTML = await answer.text();
  } catch (error) {
    if (error.name !== "AbortError") form.submit();
  }
}

field.addEventListener("input", () => {
  clearTimeout(waits);
  waits = setTimeout(look, 180);
});
// A year that is half typed, like 0020, is below the field's minimum.
form.addEventListener("change", (event) => {
  if (event.target !== field && event.target.validity.valid) form.requestSubmit();
});
