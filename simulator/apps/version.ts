/** The newest version of the protocol of Mini Apps that the chat page speaks. */
export const APP_VERSION = '9.6';

/** Whether it is a version of that protocol that there was: 6.0 to 6.9, then on. */
export function isAppVersion(text: unknown): text is string {
  return typeof text === 'string' && /^(?:[6-9]|1\d)\.\d{1,2}$/.test(text);
}
