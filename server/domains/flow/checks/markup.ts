// Texts that hold markup or values of another language: here they are letters, and people would read them.

import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { Span, TextBody } from '../../../../contract/texts.ts';
import { isTelegramLink } from '../../manifest/manifest.ts';
import { stop, warn } from './fault.ts';

/** Braces, tags and stars in words; links that are none; marks that another one of the same words undoes. */
export function checkMarkup(document: FlowDocument): Fault[] {
  return Object.entries(document.texts ?? {}).flatMap(([key, text]) =>
    Object.entries(text).flatMap(([locale, body]) => checkBody(`texts.${key}.${locale}`, body)),
  );
}

function checkBody(path: string, body: TextBody): Fault[] {
  if (typeof body === 'string') return checkWords(path, body);
  return body.flatMap((span, index) => checkSpan(`${path}.${index}`, span));
}

function checkSpan(path: string, span: Span): Fault[] {
  if (typeof span === 'string') return checkWords(path, span);
  return [...('text' in span ? checkWords(path, span.text) : []), ...checkLink(path, span), ...checkMarks(path, span)];
}

const BRACES = /\{\{[^{}]{1,80}\}\}|\$\{[^{}]{1,80}\}|\{(?:contact|chat|event|user)\.[\w.]{1,60}\}|%\w{1,40}%/;
const TAG = /<\/?(?:b|strong|i|em|u|s|del|a|code|pre|br|p|tg-spoiler|blockquote)(?:\s[^<>]{0,200})?\s?\/?>/i;
const STARS = /\*\*[^*\n]{1,200}\*\*|\[[^\]\n]{1,100}\]\(https?:[^)\s]{1,300}\)/;

function checkWords(path: string, words: string): Fault[] {
  const braces = BRACES.exec(words)?.[0];
  const markup = (TAG.exec(words) ?? STARS.exec(words))?.[0];
  return [
    ...(braces === undefined
      ? []
      : [
          warn(
            'text_braces',
            path,
            `${quoted(braces)} is sent as these letters.`,
            'A value is a span of its own, as ["Hello, ", { "var": "contact.firstName" }].',
          ),
        ]),
    ...(markup === undefined
      ? []
      : [
          warn(
            'text_markup',
            path,
            `${quoted(markup)} is sent as these letters.`,
            'Marks are spans, as { "text": "words", "bold": true } or { "text": "words", "link": "https://..." }.',
          ),
        ]),
  ];
}

const quoted = (text: string): string => `"${text.slice(0, 60)}"`;

function checkLink(path: string, { link }: Exclude<Span, string>): Fault[] {
  if (link === undefined) return [];
  const isValue = /[{}]/.test(link);
  if (!isValue && isTelegramLink(link)) return [];
  return [
    stop(
      'link_wrong',
      `${path}.link`,
      isValue ? `A link holds no values: ${quoted(link)} stays as it is.` : `Telegram takes no link ${quoted(link)}.`,
      'It begins with https://, http:// or tg://. Numbers and addresses in a text are pressed without a link.',
    ),
  ];
}

/** Telegram takes nothing inside code but a quote around it. */
function checkMarks(path: string, span: Exclude<Span, string>): Fault[] {
  if (!span.pre && !span.code) return [];
  const lost = (['code', 'link', 'bold', 'italic', 'underline', 'strike', 'spoiler', 'emoji'] as const).filter(
    (mark) => span[mark] !== undefined && (mark !== 'code' || span.pre),
  );
  return lost.length === 0
    ? []
    : [
        stop(
          'prop_unused',
          `${path}.${lost[0] ?? ''}`,
          `Telegram marks nothing within code, so "${lost.join('", "')}" does nothing here.`,
          'Keep one of the two.',
        ),
      ];
}
