// The link's token is its fragment: it is sent to Sam once, and leaves the address bar before that.
function signIn() {
  const code = location.hash.slice(1);
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  document.getElementById("code").value = code;
  document.getElementById("sign-in").requestSubmit();
}
addEventListener("hashchange", signIn);
signIn();
