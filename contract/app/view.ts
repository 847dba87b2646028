// From a published manifest to what a visitor's phone gets. Types only: the runtime takes them, and a schema there would
// be bytes in every phone.
//
//   manifest, one language  ->  AppView  ->  blocks draw it once a release  ->  AppPages, and AppRows beside it
//
// Blocks have done their work when a page reaches a phone: what is left are elements, and a few things that only the
// place knows where they are shown (values, conditions, lists). That is why a runtime of five kilobytes knows every block.

import type { Manifest } from '../manifest.ts';
import type { AppTextBody } from './texts.ts';

export type Photo = { readonly src: string; readonly width?: number; readonly height?: number };
export type Scalar = string | number | boolean;
/** `id` is the row's number in its table. Photos of a row are addresses already. */
export type Row = { readonly id: number } & { readonly [field: string]: Scalar };

export type AppView = Omit<Manifest, 'texts'> & {
  /** Public id of the app, as in `/a/:id` and `/v1/apps/:id`. */
  readonly app: string;
  readonly locale: string;
  /** The first is the one that addresses without `?lang=` speak. */
  readonly locales: readonly string[];
  /** Where pages stand: '/a/xyz' inside Telegram, '' on a domain of its own. Without a slash at its end. */
  readonly base: string;
  readonly texts: { readonly [key: string]: AppTextBody };
  readonly media: { readonly [id: string]: Photo };
  /** Of the project's bot, for links into the chat; empty where there is none. */
  readonly bot: string;
  /** What blocks and runtime say themselves, in this language: `wordsFor` of miniapp/blocks makes it. */
  readonly words: AppWords;
};

/** Sentences that no maker writes: names of buttons, what is wrong with a field. */
export type AppWords = { readonly [Word in AppWord]: string };
export type AppWord =
  | 'add'
  | 'address'
  | 'again'
  | 'all'
  | 'atLeast'
  | 'atMost'
  | 'away'
  | 'back'
  | 'call'
  | 'chat'
  | 'choose'
  | 'consent'
  | 'contact'
  | 'date'
  | 'email'
  | 'empty'
  | 'fewer'
  | 'file'
  | 'find'
  | 'first'
  | 'guest'
  | 'home'
  | 'hours'
  | 'language'
  | 'map'
  | 'menu'
  | 'minimum'
  | 'more'
  | 'next'
  | 'noSlots'
  | 'noSlotsAtAll'
  | 'noSlotsLast'
  | 'number'
  | 'offline'
  | 'phone'
  | 'pickOne'
  | 'pickSome'
  | 'privacy'
  | 'quote'
  | 'required'
  | 'slotsFailed'
  | 'slotsLoading'
  | 'slotsOffline'
  | 'slot'
  | 'soldOut'
  | 'tick'
  | 'total'
  | 'unsent'
  | 'unsentDrop'
  | 'unsentFiles'
  | 'unsentOpen'
  | 'variant'
  | 'whole'
  | 'write'
  | 'zoom';

/** A text, a number or an attribute that may wait for a value: of a path, by a condition, or several joined. */
export type Live =
  | Scalar
  | LiveValue
  | { readonly join: readonly Live[] }
  | { readonly if: Test; readonly show: Live; readonly or?: Live | undefined };

/** The value of a path; with options of Intl where people read a number or a moment in their own way. */
export type LiveValue = {
  readonly from: string;
  readonly number?: Intl.NumberFormatOptions | undefined;
  readonly moment?: Intl.DateTimeFormatOptions | undefined;
};

/**
 * A condition: `?` there is something, `~` contains (great and small letters, accents and ё alike, without blanks around
 * it), and signs that say what they mean.
 * A list is read with a comma before and behind each of its values.
 */
export type Test =
  | readonly ['&' | '|', readonly Test[]]
  | readonly ['!', Test]
  | readonly ['?', path: string]
  | readonly ['=' | '~', path: string, text: Live]
  | readonly ['>' | '<', path: string, number: number];

/** Where rows come from: a data source, `$cart`, or the parts of a column of the row at hand (`row.sizes`). */
export type LiveList = {
  readonly each: string;
  /** Each value of this column once, as `row.$value`. */
  readonly only?: string | undefined;
  /** What must hold of a row, as `row`. */
  readonly where?: Test | undefined;
};

/** A node of a page. `null` in place of what it holds: a chunk fills it. */
export type Drawn =
  | Live
  | readonly [tag: string, attrs: DrawnAttrs, ...kids: (Drawn | null)[]]
  | { readonly if: Test; readonly show: readonly Drawn[]; readonly or?: readonly Drawn[] | undefined }
  | (LiveList & { readonly show: readonly Drawn[]; readonly or?: readonly Drawn[] | undefined });

export type DrawnAttrs = { readonly [name: string]: Live | undefined | Deed } & { readonly do?: Deed | undefined };

/** What pressing does. Links carry their address themselves. */
export type Deed = {
  /** An address of ours, or one outside. */
  readonly to?: Live | undefined;
  readonly open?: Live | undefined;
  readonly share?: Live | undefined;
  readonly submit?: string | undefined;
  readonly cart?: 'add' | 'remove' | 'clear' | undefined;
  readonly language?: string | undefined;
  readonly back?: true | undefined;
  readonly contact?: true | undefined;
  readonly close?: true | undefined;
  /** Puts the number of the Telegram account into this field. */
  readonly fill?: string | undefined;
  /** One question back in this quiz. */
  readonly before?: string | undefined;
  /** The visitor's answer about cookies. */
  readonly keep?: 'yes' | 'no' | undefined;
};

/** `if`: while there is something for it to do. */
export type DrawnButton = { readonly text: Live; readonly do: Deed; readonly if: Test };

export type AppPages = {
  readonly app: string;
  readonly base: string;
  readonly bot: string;
  readonly locale: string;
  readonly locales: readonly string[];
  readonly start: string;
  /** Above and below every page. */
  readonly head: readonly Drawn[];
  readonly foot: readonly Drawn[];
  readonly pages: {
    readonly [id: string]: {
      readonly path: string;
      /** As the window is called. */
      readonly title: string;
      /** Whose row the number at the end of the address means. */
      readonly data?: string | undefined;
      readonly body: readonly Drawn[];
      /** Under the names that Telegram has for them. */
      readonly MainButton?: DrawnButton | undefined;
      readonly SecondaryButton?: DrawnButton | undefined;
    };
  };
  readonly forms: {
    readonly [id: string]: {
      readonly kind?: string | undefined;
      /** One question a time. */
      readonly quiz?: true | undefined;
      readonly after?: Deed | undefined;
      readonly fields: readonly {
        readonly id: string;
        readonly type: string;
        /** What is said where it is empty; without it, it may be. */
        readonly required?: string | undefined;
        /** What is said where the browser finds that it does not fit. */
        readonly fix?: string | undefined;
        /** Never of a hidden field. */
        readonly showIf: Test;
        /** Of a hidden field; without it, the start parameter. */
        readonly value?: string | undefined;
        /** Of a slot; and what the field is called whose answer says whose calendar it is. */
        readonly booking?: string | undefined;
        readonly after?: string | undefined;
      }[];
    };
  };
  readonly shop?: Manifest['shop'];
  readonly bookings?:
    | {
        readonly [id: string]: {
          readonly aheadDays: number;
          /** Time zone of its hours. */
          readonly zone: string;
          readonly each?: string | undefined;
        };
      }
    | undefined;
  /** The clock of the bookings. */
  readonly zone?: string | undefined;
  /** What the runtime itself says. */
  readonly words: { readonly [word: string]: string };
};

export type AppRows = { readonly [dataId: string]: readonly Row[] };

/** What stands in the page for the runtime to begin with, as JSON in `<script type="application/json" id="v">`. */
export type AppStart = {
  /** Addresses of the view and of its rows. */
  readonly view: string;
  readonly rows: string;
  readonly page: string;
  readonly item?: number | undefined;
  /** Time zone of the project: its day is today, wherever the phone is. */
  readonly zone: string;
  /** Address of Telegram's script on `/a/`; nothing on a site. It is asked for inside Telegram only. */
  readonly telegram?: string | undefined;
  /** The page's own address, where another one was opened. */
  readonly address?: string | undefined;
  /** How Telegram is to colour its buttons: by button and scheme, as `MainButtondark`. */
  readonly paint?: { readonly [button: string]: { readonly [param: string]: string } } | undefined;
};

/** POST /v1/apps/:app/events. `key` is made by the client, once an attempt: the same key again changes nothing. */
export type AppEvent = {
  readonly key: string;
  readonly form: string;
  readonly values: { readonly [field: string]: Scalar | readonly string[] };
  /** What is wanted of each row, as "12" or "12:M" with a variant. */
  readonly cart?: { readonly [item: string]: number } | undefined;
  readonly locale: string;
  /** The start parameter of the link that opened the app. */
  readonly start?: string | undefined;
  /** Of a field that people do not see and robots fill in. Nobody is told that it was noticed. */
  readonly trap?: string | undefined;
};

/** What it is answered. `done` is what the visitor reads, and `sent` what was booked or ordered, line by line. */
export type AppEventAnswer =
  | {
      readonly ok: true;
      readonly duplicate: boolean;
      readonly number: number;
      readonly done: string;
      readonly sent?: readonly { readonly id: number; readonly label: string; readonly value: string }[];
    }
  | {
      readonly ok: false;
      readonly error: {
        readonly code: string;
        readonly message: string;
        /** A sentence for each field that was wrong, and perhaps one under KeptWords. */
        readonly facts?: { readonly fields?: { readonly [field: string]: string } };
      };
    };

/**
 * The name, among the fields of a refusal, of what a page says when it could keep what was written: the way out of such a
 * refusal leads away from the page, and `message` holds where nothing could be kept. No field is called so.
 */
export type KeptWords = '$kept';

/** GET /v1/apps/:app/slots?booking=&each=&from=&days= : `start` in UTC, `day` and `time` by the clock of the booking. */
export type SlotsAnswer = {
  readonly ok: true;
  readonly slots: readonly {
    readonly start: string;
    readonly day: string;
    readonly time: string;
    readonly left: number;
  }[];
};
