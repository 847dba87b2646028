// Texts: are they there in every language, and does Telegram take them at their longest?

import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import { TELEGRAM_LIMITS } from '../../../../contract/limits.ts';
import type { Span, TextBody } from '../../../../contract/texts.ts';
import { isTelegramLink } from '../../manifest/manifest.ts';
import { isBlank } from '../../readers/readers.ts';
import { isAppAddress } from '../acceptable.ts';
import { readOwn } from '../values.ts';
import { stop, warn } from './fault.ts';
import type { TextPurpose, Use } from './uses.ts';

/** Missing texts and languages, and lengths. */
export function checkTexts(document: FlowDocument, uses: readonly Use[]): Fault[] {
  const used = uses.filter((use) => use.what === 'text');
  return used.flatMap((use) => {
    const text = document.texts ? readOwn(document.texts, use.key) : undefined;
    if (!text) return [missingText(document, use)];
    return document.locales.flatMap((locale): Fault[] => {
      const body = readOwn(text, locale);
      if (body === undefined) return [missingLocale(document, use.key, locale)];
      return checkBody(document, use, locale, body);
    });
  });
}

/** Most who meet it with a link have written the address itself in place of the key. */
function missingText({ defaultLocale }: FlowDocument, { key, purpose, path }: Extract<Use, { what: 'text' }>): Fault {
  const isAddress = (purpose === 'url' || purpose === 'appUrl') && key.includes('.');
  return stop(
    'text_missing',
    path,
    isAddress ? `A link is named by the key of a text, and there is no text "${key}".` : `There is no text "${key}".`,
    isAddress
      ? `Write "site" here, and under "texts": "site": { "${defaultLocale}": "https://${key}" }.`
      : `Write its words under "texts", as "${key}": { "${defaultLocale}": "..." }.`,
  );
}

function missingLocale(document: FlowDocument, key: string, locale: string): Fault {
  const message = `The text "${key}" is missing in "${locale}".`;
  if (locale === document.defaultLocale)
    return stop('text_missing', `texts.${key}.${locale}`, message, 'Write it: it stands in for the other languages.');
  return warn(
    'text_untranslated',
    `texts.${key}.${locale}`,
    message,
    `Translate it; until then it is shown in "${document.defaultLocale}".`,
  );
}

/** How long a value of a type can get, where the variable does not say. */
const LONGEST: { readonly [type: string]: number } = {
  number: 24,
  bool: 5,
  date: 24,
  time: 8,
  phone: 17,
  choice: TELEGRAM_LIMITS.buttonLabelChars,
  email: 254,
  location: 40,
  link: 512,
};
/** People write at most one message, names have at most 64 characters each. */
const LONGEST_TEXT = 1_000;
const LONGEST_KNOWN = 129;

/** The fewest and the most characters a text can have. */
export function lengthOf(document: FlowDocument, body: TextBody): { readonly least: number; readonly most: number } {
  const spans = typeof body === 'string' ? [body] : body;
  const sums = spans.map((span) => spanLength(document, span));
  return {
    least: sums.reduce((sum, { least }) => sum + least, 0),
    most: sums.reduce((sum, { most }) => sum + most, 0),
  };
}

function spanLength(document: FlowDocument, span: Span): { least: number; most: number } {
  if (typeof span === 'string') return { least: span.length, most: span.length };
  if ('text' in span) return { least: span.text.length, most: span.text.length };
  if ('plural' in span) {
    const lengths = Object.values(span.forms).map((form) => form?.length ?? 0);
    return { least: Math.min(...lengths), most: Math.max(...lengths) + 12 };
  }
  if ('expr' in span) return { least: 0, most: LONGEST_TEXT };
  const variable = readOwn(document.variables ?? {}, span.var);
  if (!variable) return { least: 0, most: LONGEST_KNOWN };
  return { least: 0, most: variable.maxChars ?? LONGEST[variable.type] ?? LONGEST_TEXT };
}

type Bound = { readonly max: number; readonly what: string; readonly cut: boolean };

const BOUNDS: { readonly [Purpose in TextPurpose]?: Bound } = {
  label: { max: TELEGRAM_LIMITS.buttonLabelChars, what: 'A button', cut: false },
  replyLabel: { max: TELEGRAM_LIMITS.buttonLabelChars, what: 'A key', cut: false },
  answer: { max: TELEGRAM_LIMITS.callbackAnswerChars, what: 'An answer to a press', cut: true },
  laterAnswer: { max: TELEGRAM_LIMITS.callbackAnswerChars, what: 'An answer to a press', cut: true },
  copy: { max: TELEGRAM_LIMITS.copyTextChars, what: 'A text to copy', cut: true },
  placeholder: { max: TELEGRAM_LIMITS.placeholderChars, what: 'A hint in the input field', cut: true },
  command: { max: TELEGRAM_LIMITS.commandDescriptionChars, what: 'The description of a command', cut: true },
};

function checkBody(
  document: FlowDocument,
  use: Extract<Use, { what: 'text' }>,
  locale: string,
  body: TextBody,
): Fault[] {
  const path = `texts.${use.key}.${locale}`;
  const { least, most } = lengthOf(document, body);
  if (most === 0)
    return [
      stop('text_empty', path, `The text "${use.key}" is empty, and Telegram takes no empty texts.`, 'Write it.'),
    ];
  return [...checkLength(use.purpose, path, least, most), ...checkPurpose(use, path, body)];
}

function checkLength(purpose: TextPurpose, path: string, least: number, most: number): Fault[] {
  if (purpose === 'message' && most > TELEGRAM_LIMITS.textChars) {
    return [
      warn(
        'text_long',
        path,
        `This can have ${most} characters; it is sent as several messages of ${TELEGRAM_LIMITS.textChars}.`,
      ),
    ];
  }
  if (purpose === 'caption' && most > TELEGRAM_LIMITS.captionChars) {
    return [
      warn(
        'text_long',
        path,
        `A caption has at most ${TELEGRAM_LIMITS.captionChars} characters; when this is longer it is sent below the file.`,
      ),
    ];
  }
  const bound = BOUNDS[purpose];
  if (!bound || most <= bound.max) return [];
  if (least > bound.max && bound.cut)
    return [
      stop('text_long', path, `${bound.what} has at most ${bound.max} characters; this has ${least}.`, 'Shorten it.'),
    ];
  return [
    warn(
      'text_long',
      path,
      `${bound.what} ${bound.cut ? 'has at most' : 'reads well up to'} ${bound.max} characters; this can have ${most}.`,
      'Shorten it.',
    ),
  ];
}

function checkPurpose({ purpose, key }: Extract<Use, { what: 'text' }>, path: string, body: TextBody): Fault[] {
  const isFixed = typeof body === 'string' || body.every((span) => typeof span === 'string' || 'text' in span);
  if (purpose === 'replyLabel' && !isFixed) {
    return [
      stop(
        'label_varies',
        path,
        `The key "${key}" holds a value, so its press cannot be told from what people write.`,
        'Use plain words, or a button under the message.',
      ),
    ];
  }
  if (purpose === 'answer' && !isFixed) {
    return [
      stop(
        'answer_varies',
        path,
        'An answer that is shown at once cannot hold a value.',
        'Mark the button "answers later" and use an answer block.',
      ),
    ];
  }
  if (purpose === 'command') {
    if (!isFixed)
      return [
        stop(
          'description_varies',
          path,
          'The description of a command is the same for all people, so it cannot hold a value.',
          'Write plain words; the values fit into what the command answers.',
        ),
      ];
    if (isBlank(fixedWords(body)))
      return [stop('text_empty', path, 'Nothing can be seen in this description of a command.', 'Write it.')];
  }
  if (isFixed && (purpose === 'url' || purpose === 'appUrl')) return checkLink(purpose, path, fixedWords(body).trim());
  return [];
}

const fixedWords = (body: TextBody): string =>
  typeof body === 'string'
    ? body
    : body.map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : '')).join('');

/** Telegram refuses the whole message for one link that it does not take, so such a button is left out of it. */
function checkLink(purpose: 'url' | 'appUrl', path: string, link: string): Fault[] {
  const shown = `"${link.slice(0, 100)}"`;
  if (purpose === 'appUrl') {
    if (isAppAddress(link, false)) return [];
    if (isAppAddress(link, true) && /^http:\/\/(localhost|127\.|\[::1\])/i.test(link))
      return [
        warn(
          'link_wrong',
          path,
          `${shown} has no TLS: only a simulated Telegram opens it.`,
          'Telegram takes https://.',
        ),
      ];
    return [stop('link_wrong', path, `${shown} is no address of a Mini App.`, 'Write it as "https://example.com".')];
  }
  if (/^tg:\/\/user\?id=/i.test(link))
    return [
      warn(
        'link_person',
        path,
        'Telegram refuses the whole message where this person does not want to be linked to.',
        'Link to them in the text.',
      ),
    ];
  if (isTelegramLink(link)) return [];
  if (/^(tel|mailto|sms):/i.test(link))
    return [
      stop(
        'link_wrong',
        path,
        `Telegram takes no button with the link ${shown}.`,
        'Write the number or the address into the text, where a press calls or writes, or use a button of the kind "copy".',
      ),
    ];
  return [
    stop('link_wrong', path, `${shown} is not a web address.`, 'Write it as "https://example.com" or "tg://...".'),
  ];
}
