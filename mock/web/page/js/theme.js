// A classic script in the head, so that a chosen theme is there before the first paint.
try {
  const chosen = localStorage.getItem("orrery.theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch { /* without storage the system's theme holds */ }
