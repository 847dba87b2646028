import type { MessageEntity } from '@grammyjs/types';

/** Cheap test: most texts of bots have nothing that could be found. */
const MAYBE = /[@#$./:]/;

type Finder = {
  type: 'mention' | 'hashtag' | 'cashtag' | 'bot_command' | 'url' | 'email' | 'phone_number';
  pattern: RegExp;
};

const FINDERS: readonly Finder[] = [
  { type: 'email', pattern: /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g },
  {
    type: 'url',
    pattern:
      /(?<![\w@/.])(?:https?:\/\/[^\s<>"]*[^\s<>".,!?;:)\]]|(?<!-)(?:[\w-]+\.)+(?:com|org|net|ru|me|io|dev|app|рф)(?:\/[^\s<>"]*[^\s<>".,!?;:)\]])?(?![\w@]))/gu,
  },
  { type: 'bot_command', pattern: /(?<![\w/@.<>])\/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/@])/g },
  { type: 'mention', pattern: /(?<![\w@.])@[A-Za-z0-9_]{4,32}(?!\w)/g },
  { type: 'hashtag', pattern: /(?<![\p{L}\p{N}_#])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu },
  { type: 'cashtag', pattern: /(?<![\w$])\$[A-Z]{1,8}(?!\w)/g },
];

/** What Telegram finds in a text by itself: commands, addresses, mentions, tags. Never inside what is marked already. */
export function detectEntities(text: string, known: readonly MessageEntity[] = []): MessageEntity[] {
  if (!MAYBE.test(text)) return [...known];
  const entities = [...known];
  const taken = (from: number, to: number): boolean =>
    entities.some(
      (entity) =>
        from < entity.offset + entity.length &&
        to > entity.offset &&
        (entity.type in BLOCKING || !known.includes(entity)),
    );
  for (const { type, pattern } of FINDERS) {
    for (const match of text.matchAll(pattern)) {
      const length = match[0].length;
      if (!taken(match.index, match.index + length))
        entities.push({ type, offset: match.index, length } as MessageEntity);
    }
  }
  return entities.sort((one, other) => one.offset - other.offset || other.length - one.length);
}

/** Marks inside of which nothing is found. */
const BLOCKING: Readonly<Record<string, true>> = {
  code: true,
  pre: true,
  text_link: true,
  text_mention: true,
  url: true,
  custom_emoji: true,
};
