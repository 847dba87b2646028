/**
 * One reader a kind of value, for chats, forms and tables alike: the same spelling gives the same value everywhere, or
 * the same question. Pure: what somebody wrote and the customs of the project in, a value or its meanings out.
 */

export { type Customs, type CustomsSource, customsOf, NO_CUSTOMS } from './customs.ts';
export { type DateFacts, readDate } from './dates.ts';
export { readMail } from './mail.ts';
export { meaningText } from './meanings.ts';
export { readNumber } from './numbers.ts';
export { isPhoneCountry, readPhone, readSharedPhone } from './phones.ts';
export type { Reading, ReadingFault } from './reading.ts';
export { evenPattern, evenText, evenWords, foldWords, isBlank, trimUnseen } from './spelling.ts';
export { readTime } from './times.ts';
export { readYesNo } from './yes-no.ts';
