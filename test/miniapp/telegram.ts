// A stand-in for Telegram's script: it notes what it is asked to do, and a test presses its buttons.

export const telegramScript = `
const calls = (window.calls = []);
const note = (name) => (...args) => void calls.push([name, ...args.filter((arg) => typeof arg !== 'function')]);
const button = (name) => ({
  setParams: (params) => void Object.assign((window[name] ??= {}), params),
  onClick: (pressed) => void (window['press' + name] = pressed),
  show: () => void (window[name] = { is_visible: true }),
  hide: () => void (window[name] = { is_visible: false }),
});
const cloud = (window.cloud = JSON.parse(sessionStorage.cloud ?? '{}'));
const query = new URLSearchParams(location.hash.slice(1));
window.Telegram = {
  WebApp: {
    initData: query.get('tgWebAppData') ?? '',
    colorScheme: query.get('scheme') ?? 'light',
    MainButton: button('MainButton'),
    SecondaryButton: button('SecondaryButton'),
    BackButton: button('BackButton'),
    HapticFeedback: { impactOccurred: note('impact'), notificationOccurred: note('notification') },
    CloudStorage: {
      getItem: (key, then) => setTimeout(() => then(null, cloud[key] ?? ''), 0),
      setItem: (key, value) => {
        cloud[key] = value;
        sessionStorage.cloud = JSON.stringify(cloud);
      },
    },
    isVersionAtLeast: () => true,
    ready: note('ready'),
    expand: note('expand'),
    close: note('close'),
    openLink: note('openLink'),
    openTelegramLink: note('openTelegramLink'),
    enableClosingConfirmation: note('enableClosingConfirmation'),
    disableClosingConfirmation: note('disableClosingConfirmation'),
    onEvent: (name, then) => void (window['on' + name] = then),
    requestContact: (then) => then(true, { responseUnsafe: { contact: { phone_number: '79001234567' } } }),
  },
};
`;
