// What lies over the page. Back takes it away and leaves the page alone, be it Telegram's or the browser's.

type Outside = {
  Telegram?: { WebApp?: { isVersionAtLeast?(version: string): boolean; BackButton?: { show(): void } } };
};

/** `draw` draws the page below, which says anew whether Telegram's Back is there. */
export function over(draw: () => void) {
  let top: HTMLDialogElement | undefined;
  /** Also where the page itself has nothing to go back to. */
  const drawn = (): void => {
    const app = (window as Outside).Telegram?.WebApp;
    if (top && app?.isVersionAtLeast?.('6.1')) app.BackButton?.show();
  };

  function lay(dialog: HTMLDialogElement): void {
    const { href } = location;
    // A listener of its own would come after that of the runtime, which would draw the page anew.
    const { onpopstate } = window;
    top = dialog;
    document.body.append(dialog);
    history.pushState(1, '', href);
    // However it is closed, this one step back comes after, and only then it is gone.
    dialog.onclose = () => top && history.back();
    window.onpopstate = (event) => {
      window.onpopstate = onpopstate;
      top = undefined;
      dialog.close();
      dialog.remove();
      // Two steps at once lead to another page.
      if (location.href === href) draw();
      else onpopstate?.call(window, event);
    };
    dialog.showModal();
    drawn();
  }

  return { lay, drawn, isOpen: () => top !== undefined };
}
