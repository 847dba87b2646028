// What a step is given and what it gives back. Everything here is plain JSON.

import type { Value } from '../../../contract/variables.ts';
import type { RichMessage } from '../manifest/manifest.ts';

/** What a waiting conversation waits for. */
export type Wait = {
  readonly block: string;
  readonly kind: 'input' | 'pause' | 'call';
  /** Id of the running timer, '' without one. */
  readonly timer: string;
  /** Id of the outside call, '' for the other kinds. */
  readonly call: string;
  /** How many answers did not fit so far. */
  readonly failed: number;
  /** Key of the effect that asked, so that its buttons can be told from those of an older question. */
  readonly asked: string;
  /** What the last answer may mean, where the person was asked which. */
  readonly meanings?: readonly (string | number)[];
};

/** A message that has a name and can be edited later. */
export type Ref = {
  readonly key: string;
  readonly media: boolean;
  /** A sticker or a round video: it has no words that could be changed. */
  readonly bare?: true;
};

/** What a conversation remembers. `null` instead of it when there is nothing. */
export type ConversationState = {
  /** The release it goes on with while it waits; 0 at rest. */
  readonly release: number;
  readonly wait: Wait | null;
  /** Subflow blocks that were entered and not yet left, outermost first. */
  readonly stack: readonly string[];
  readonly vars: { readonly [name: string]: Value };
  readonly refs: { readonly [name: string]: Ref };
  /** The block whose reply keyboard was shown last, kept only where labels alone are ambiguous; else ''. */
  readonly keyboard: string;
  /** It is one of a channel: a timer that ends does not say so, and Telegram takes less there. */
  readonly channel?: true;
};

/** What is known of the person (in groups) or the private chat. Names are used where an event has no user. */
export type ContactState = {
  readonly vars: { readonly [name: string]: Value };
  readonly tags: readonly string[];
  /** The language the person chose in the flow, or null. */
  readonly locale: string | null;
  readonly id?: number;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly username?: string;
  readonly language?: string;
};

/** Where the app of the project is opened; absent where Telegram would not open it. */
export type AppPlace = { readonly address: string };

export type BotState = {
  readonly vars: { readonly [name: string]: Value };
  /** Without the "@". With it `/start@other_bot` is told apart in groups. */
  readonly username?: string;
  readonly app?: AppPlace;
  /** Its Telegram opens apps without TLS: the simulator's. */
  readonly plainHttp?: true;
};

export type FlowState = {
  readonly conversation: ConversationState | null;
  readonly contact: ContactState;
  readonly bot: BotState;
};

/** Formatting of a stretch of text, as the Bot API has it. Offsets and lengths are UTF-16 units. */
export type Entity = {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
  readonly custom_emoji_id?: string;
  readonly user?: { readonly id: number; readonly is_bot: false; readonly first_name: string };
};

/** One button. With `press` the caller replaces it by `callback_data` with a token minted for that press. */
export type EffectButton = {
  readonly text: string;
  readonly style?: 'primary' | 'success' | 'danger';
  readonly icon_custom_emoji_id?: string;
  readonly press?: { readonly block: string; readonly button: string };
  readonly url?: string;
  readonly copy_text?: { readonly text: string };
  readonly web_app?: { readonly url: string };
};

export type ReplyKey = {
  readonly text: string;
  readonly style?: 'primary' | 'success' | 'danger';
  readonly icon_custom_emoji_id?: string;
  readonly request_contact?: true;
  readonly request_location?: true;
};

/** `reply_markup` of the Bot API, but for `press` in buttons. */
export type Markup =
  | { readonly inline_keyboard: readonly (readonly EffectButton[])[] }
  | {
      readonly keyboard: readonly (readonly ReplyKey[])[];
      readonly resize_keyboard: true;
      readonly one_time_keyboard?: true;
      readonly input_field_placeholder?: string;
    }
  | { readonly remove_keyboard: true }
  /** The person's app answers this very message: the only words of a group that a bot with privacy hears. */
  | { readonly force_reply: true; readonly selective?: true; readonly input_field_placeholder?: string };

/** A file of the project (`media`: its id in the release), or the id of a file that Telegram holds, as it is. */
export type FileRef = { readonly media: string } | string;

/** One item of an album, as `InputMedia...` of the Bot API but for `media`. */
export type AlbumItem = {
  readonly type: 'photo' | 'video' | 'document' | 'audio';
  readonly media: FileRef;
  readonly caption?: string;
  readonly caption_entities?: readonly Entity[];
};

/** Parameters of the Bot API without `chat_id` and `message_thread_id`. Files are `FileRef`s, markup is a `Markup`. */
export type SendParams = {
  readonly text?: string;
  readonly entities?: readonly Entity[];
  readonly caption?: string;
  readonly caption_entities?: readonly Entity[];
  readonly photo?: FileRef;
  readonly video?: FileRef;
  readonly document?: FileRef;
  readonly audio?: FileRef;
  readonly animation?: FileRef;
  readonly voice?: FileRef;
  readonly video_note?: FileRef;
  readonly sticker?: FileRef;
  readonly media?: readonly AlbumItem[];
  readonly rich_message?: RichMessage;
  readonly reply_markup?: Markup;
  readonly link_preview_options?: { readonly is_disabled: true };
  readonly disable_notification?: true;
  readonly protect_content?: true;
  readonly reply_parameters?: { readonly message_id: number; readonly allow_sending_without_reply: true };
};

export type SendMethod =
  | 'sendMessage'
  | 'sendRichMessage'
  | 'sendPhoto'
  | 'sendVideo'
  | 'sendDocument'
  | 'sendAudio'
  | 'sendAnimation'
  | 'sendVoice'
  | 'sendVideoNote'
  | 'sendSticker'
  | 'sendMediaGroup';

/** An earlier message: by the key of the effect that sent it, or by its number in the chat of this conversation. */
export type MessageTarget = { readonly key: string } | { readonly messageId: number };

type Keyed = { readonly key: string; readonly block: string };

export type Effect = Keyed &
  /** `chat`: the conversation's own ('here', with its thread) or another one (then `thread` counts, 0: none). */
  (
    | {
        readonly type: 'send';
        readonly chat: 'here' | number;
        readonly thread: number;
        readonly method: SendMethod;
        readonly params: SendParams;
        readonly ref?: string;
      }
    | {
        readonly type: 'edit';
        readonly target: MessageTarget;
        readonly method: 'editMessageText' | 'editMessageCaption' | 'editMessageReplyMarkup';
        readonly params: SendParams;
      }
    | { readonly type: 'delete'; readonly target: MessageTarget }
    /** `id` is the id of the callback query. `outOfDate`: the press was refused; skip it where the fast lane already said so. */
    | {
        readonly type: 'answerButton';
        readonly id: string;
        readonly text?: string;
        readonly alert?: true;
        readonly outOfDate?: true;
      }
    | { readonly type: 'typing' }
    | { readonly type: 'timer'; readonly id: string; readonly delayMs: number }
    | { readonly type: 'cancelTimer'; readonly id: string }
    | {
        readonly type: 'call';
        readonly id: string;
        readonly method: 'getChatMember';
        readonly params: { readonly chat_id: number | string; readonly user_id: number };
      }
  );

/** An effect before it has its key and is known to be of a block. */
export type UnkeyedEffect = Effect extends infer One
  ? One extends Effect
    ? Omit<One, 'key' | 'block'>
    : never
  : never;

type Scalar = string | number | boolean;
/** Which rows: by the values of a column, or by `id`; all that is given must hold. */
export type TableTest = {
  readonly field: string;
  readonly is?: Scalar;
  readonly not?: Scalar;
  readonly over?: Scalar;
  readonly under?: Scalar;
  readonly contains?: Scalar;
};
/** A row by its columns, with `id`. */
export type TableRow = { readonly [field: string]: Scalar };

/**
 * What a block wants of a table. The engine cannot do it: `step` ends with it, and its caller does it, in the transaction
 * in which the turn is going to be committed, and runs the step again with one answer more.
 */
export type TableAsk = {
  readonly kind: 'table';
  readonly do: 'find' | 'insert' | 'update' | 'delete';
  readonly table: string;
  readonly where: readonly TableTest[];
  /** '' for the order in which rows were put in. */
  readonly sort: string;
  readonly descending: boolean;
  /** What to write; an empty text empties the cell. */
  readonly set: { readonly [field: string]: Scalar };
};

/** The first of the rows (as it is now; null for none and for those taken out), and how many there were; or why not. */
export type TableAnswer =
  | { readonly ok: true; readonly row: TableRow | null; readonly count: number }
  | { readonly ok: false; readonly reason: string };

/** What a block may ask for, each with the answer that it goes on with. */
export type Ask = TableAsk;
export type Answer = TableAnswer;

/** One thing that happened in a turn, for people who ask "why did the bot answer so?". */
export type TraceEntry = {
  /** Id of the trigger or block, '' for the engine itself. */
  readonly at: string;
  /** What it was: a block's or trigger's type, or a word of the engine (`rest`, `fault`, `ignored`). */
  readonly what: string;
  /** The exit taken, or the reason. */
  readonly exit?: string;
  readonly note?: string;
};

export type StepResult = {
  readonly state: FlowState;
  /** Exact: false means that the part is the very object that was given. */
  readonly changed: { readonly conversation: boolean; readonly contact: boolean; readonly bot: boolean };
  readonly effects: readonly Effect[];
  readonly trace: readonly TraceEntry[];
  /** 'ignored': nobody wanted the event. 'fault': a limit or a bug stopped the turn; effects so far stand. */
  readonly outcome: 'handled' | 'ignored' | 'fault';
  /** Number of the release that spoke: effects name its blocks and files. */
  readonly release: number;
  /** The turn is not at its end: this has to be answered first, and nothing of the rest counts. */
  readonly asks?: Ask;
  /** The words of a bug of the engine: nothing of the turn stands, and it is worth trying again after a mend. */
  readonly bug?: string;
};
