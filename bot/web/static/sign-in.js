// The link's token is its fragment: it is sent to Sam once, and leaves the address bar before that.
const code = decodeURIComponent(location.hash.slice(1));
if (code) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("code").value = code;
  document.getElementById("sign-in").requestSubmit();
}
