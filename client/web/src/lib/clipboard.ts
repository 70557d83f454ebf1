/** Takes a text along. */

/** Whether it lies in the clipboard now. A page that did not come over TLS has the old way alone. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return theOldWay(text);
  }
}

function theOldWay(text: string): boolean {
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', give);
  const done = document.execCommand('copy');
  document.removeEventListener('copy', give);
  return done;
}
