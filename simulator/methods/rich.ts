import type { Call, Method } from '../api/call.ts';
import { writableChat } from '../api/chats.ts';
import { checkInlineButton, readMarkup } from '../api/markup.ts';
import { badRequest } from '../api/refusal.ts';
import { measureRichText } from '../text/rich-text.ts';
import type { Content } from '../world/compose.ts';
import type { Conversation } from '../world/conversation.ts';
import { type MediaKind, mediaContent } from '../world/media.ts';
import { resolveFile } from './input-file.ts';
import { readFacts } from './media.ts';
import { accept } from './send.ts';

/** What Telegram takes of one rich message. Items of lists and rows of tables count as blocks. */
const LIMITS = { chars: 32_768, blocks: 500, depth: 16, media: 50 };
const COLUMNS_MAX = 20;
const BUTTONS_MAX = 8;

type Fields = Record<string, unknown>;

/** Blocks that hold a file: the field it stands in, and what is kept of it. */
const FILES: { readonly [type: string]: MediaKind } = {
  photo: 'photo',
  video: 'video',
  animation: 'animation',
  audio: 'audio',
  document: 'document',
  voice_note: 'voice',
};

/** Fields with a rich text: those that a block cannot do without, and those it may have. */
const TEXTS: { readonly [type: string]: readonly [needed: readonly string[], other: readonly string[]] } = {
  paragraph: [['text'], []],
  heading: [['text'], []],
  pre: [['text'], []],
  footer: [['text'], []],
  divider: [[], []],
  mathematical_expression: [[], []],
  anchor: [[], []],
  list: [[], []],
  blockquote: [[], ['credit']],
  expandable_blockquote: [['text'], ['credit']],
  pullquote: [['text'], ['credit']],
  collage: [[], []],
  slideshow: [[], []],
  table: [[], ['caption']],
  details: [['summary'], []],
  map: [[], []],
  buttons: [[], []],
  ...Object.fromEntries(Object.keys(FILES).map((type) => [type, [[], []] as const])),
};

/** Reads one message: counts as it goes, and keeps what a message says of its files. */
class Reader {
  readonly #call: Call;
  readonly #chat: Conversation;
  #chars = 0;
  #blocks = 0;
  #media = 0;

  constructor(call: Call, chat: Conversation) {
    this.#call = call;
    this.#chat = chat;
  }

  async blocks(value: unknown, depth = 1): Promise<Fields[]> {
    if (!Array.isArray(value) || value.length === 0) throw badRequest('rich message must be non-empty');
    const read: Fields[] = [];
    for (const block of value) read.push(await this.#block(block, depth));
    return read;
  }

  async #block(value: unknown, depth: number): Promise<Fields> {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw badRequest("can't parse InputRichBlock: expected an Object");
    const block = value as Fields;
    const type = String(block.type);
    const texts = Object.hasOwn(TEXTS, type) ? TEXTS[type] : undefined;
    if (texts === undefined) throw badRequest(`can't parse InputRichBlock: unsupported block type "${type}"`);
    this.#count(1, depth);
    for (const name of texts[0]) this.#text(block[name], depth, name);
    for (const name of texts[1]) if (block[name] !== undefined) this.#text(block[name], depth, name);
    const caption = block.caption as Fields | undefined;
    if (caption !== undefined && type !== 'table') this.#text(caption.text, depth, 'caption');
    return { ...block, ...(await this.#inside(type, block, depth)) };
  }

  /** What the block holds, as a message has it. */
  #inside(type: string, block: Fields, depth: number): Fields | Promise<Fields> {
    const kind = FILES[type];
    if (kind !== undefined) return this.#file(type, kind, block);
    switch (type) {
      case 'heading':
        if (!Number.isInteger(block.size) || (block.size as number) < 1 || (block.size as number) > 6)
          throw badRequest("can't parse InputRichBlock: heading size must be from 1 to 6");
        return {};
      case 'list':
        return this.#list(block, depth);
      case 'table':
        return this.#table(block, depth);
      case 'buttons':
        return this.#buttons(block);
      case 'map':
        return placed(block);
      case 'blockquote':
      case 'collage':
      case 'slideshow':
      case 'details':
        return this.blocks(block.blocks, depth + 1).then((blocks) => ({ blocks }));
      default:
        return {};
    }
  }

  async #file(type: string, kind: MediaKind, block: Fields): Promise<Fields> {
    const input = (block[type] ?? {}) as Fields;
    if (input.type !== type) throw badRequest(`can't parse InputMedia: type must be "${type}"`);
    this.#media += 1;
    if (this.#media > LIMITS.media) throw badRequest('RICH_MESSAGE_MEDIA_TOO_MUCH');
    const file = await resolveFile(this.#call, kind, 'media', input.media);
    const holder = { files: this.#call.world.files, botId: this.#call.bot.id };
    return { [type]: mediaContent(kind, file, holder, readFacts(input))[kind as 'photo'] };
  }

  async #list(block: Fields, depth: number): Promise<Fields> {
    const items: Fields[] = [];
    for (const [at, item] of listOf(block.items, 'items').entries()) {
      this.#count(1, depth + 1);
      const fields = item as Fields;
      const label = fields.type === undefined ? '•' : `${Number(fields.value ?? at + 1)}.`;
      items.push({ label, ...fields, blocks: await this.blocks(fields.blocks, depth + 2) });
    }
    return { items };
  }

  #table(block: Fields, depth: number): Fields {
    for (const row of listOf(block.cells, 'cells')) {
      this.#count(1, depth + 1);
      const cells = listOf(row, 'cells') as Fields[];
      if (cells.length > COLUMNS_MAX) throw badRequest('RICH_MESSAGE_TABLE_COLUMNS_TOO_MUCH');
      for (const cell of cells) {
        if (!/^(left|center|right)$/.test(String(cell.align)) || !/^(top|middle|bottom)$/.test(String(cell.valign)))
          throw badRequest("can't parse RichBlockTableCell: wrong alignment specified");
        if (cell.text !== undefined) this.#text(cell.text, depth + 1, 'text');
      }
    }
    return {};
  }

  #buttons(block: Fields): Fields {
    const buttons = listOf(block.buttons, 'buttons') as Fields[];
    if (buttons.length > BUTTONS_MAX) throw badRequest('RICH_MESSAGE_BUTTONS_TOO_MUCH');
    for (const button of buttons) {
      this.#chars += measureRichText(button.text).chars;
      // A text with marks has been read; what is left to look at is what pressing does.
      const text = typeof button.text === 'string' ? button.text : '…';
      checkInlineButton({ ...button, text }, this.#call, this.#chat);
    }
    return {};
  }

  #text(text: unknown, depth: number, name: string): void {
    if (text === undefined || text === '') throw badRequest(`can't parse InputRichBlock: Can't find field "${name}"`);
    const measured = measureRichText(text);
    this.#chars += measured.chars;
    this.#count(0, depth + measured.depth);
    if (this.#chars > LIMITS.chars) throw badRequest('RICH_MESSAGE_TOO_LONG');
  }

  #count(blocks: number, depth: number): void {
    this.#blocks += blocks;
    if (this.#blocks > LIMITS.blocks) throw badRequest('RICH_MESSAGE_BLOCKS_TOO_MUCH');
    if (depth > LIMITS.depth) throw badRequest('RICH_MESSAGE_DEPTH_TOO_MUCH');
  }
}

function listOf(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value) || value.length === 0)
    throw badRequest(`can't parse InputRichBlock: field "${name}" must be a non-empty Array`);
  return value;
}

function placed({ location, zoom = 15, width = 600, height = 400 }: Fields): Fields {
  const { latitude, longitude } = (location ?? {}) as { latitude?: unknown; longitude?: unknown };
  if (typeof latitude !== 'number' || typeof longitude !== 'number') throw badRequest('wrong location specified');
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw badRequest('wrong location specified');
  return { zoom, width, height };
}

/** HTML and Markdown are kept as one paragraph of plain text. */
function blocksOf(input: Fields): unknown {
  const given = ['html', 'markdown', 'blocks'].filter((name) => input[name] !== undefined);
  if (given.length > 1) throw badRequest('rich message must have exactly one of html, markdown and blocks');
  const source = typeof input.html === 'string' ? input.html.replace(/<[^<>]*>/g, '') : input.markdown;
  return typeof source === 'string' ? [{ type: 'paragraph', text: source }] : input.blocks;
}

/** sendRichMessage: blocks are read as strictly as Telegram reads them. */
export const sendRichMessage: Method = async (call) => {
  const chat = writableChat(call);
  const markup = readMarkup(call, chat);
  const input = call.object('rich_message') ?? {};
  const blocks = await new Reader(call, chat).blocks(blocksOf(input));
  const rtl = input.is_rtl === true ? { is_rtl: true } : {};
  return accept(call, chat, { rich_message: { blocks, ...rtl } } as unknown as Content, markup);
};
