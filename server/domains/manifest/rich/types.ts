// A rich message as `sendRichMessage` takes it, as far as pages need it. https://core.telegram.org/bots/api#inputrichmessage
// Files are ids of `media`: whoever sends puts Telegram's names or the bytes in their place.

/** A text, a list of texts, or a text with a mark around it. */
export type RichText = string | RichText[] | RichMark;

export type RichMark =
  | { readonly type: 'bold' | 'italic' | 'underline' | 'strikethrough' | 'code' | 'marked'; readonly text: RichText }
  | { readonly type: 'url'; readonly text: RichText; readonly url: string }
  | { readonly type: 'email_address'; readonly text: RichText; readonly email_address: string }
  | { readonly type: 'phone_number'; readonly text: RichText; readonly phone_number: string };

type Caption = { readonly text: RichText };
type File<Kind extends string> = { readonly type: Kind; readonly media: { readonly media: string } };
type Photo = { readonly type: 'photo'; readonly photo: File<'photo'> };

/** One button; its text has no marks. */
export type RichButton = { readonly text: string; readonly style?: 'primary' } & (
  | { readonly url: string }
  | { readonly web_app: { readonly url: string } }
);

export type RichListItem = {
  readonly blocks: RichBlock[];
  readonly has_checkbox?: true;
  readonly is_checked?: true;
  readonly value?: number;
  readonly type?: '1';
};

export type RichCell = {
  readonly text?: RichText;
  readonly is_header?: true;
  readonly align: 'left';
  readonly valign: 'top';
};

export type RichBlock =
  | { readonly type: 'paragraph' | 'footer'; readonly text: RichText }
  | { readonly type: 'heading'; readonly text: RichText; readonly size: 1 | 2 | 3 }
  | { readonly type: 'pre'; readonly text: RichText; readonly language?: string }
  | { readonly type: 'divider' }
  | { readonly type: 'list'; readonly items: RichListItem[] }
  | { readonly type: 'blockquote'; readonly blocks: RichBlock[]; readonly credit?: RichText }
  | { readonly type: 'expandable_blockquote' | 'pullquote'; readonly text: RichText; readonly credit?: RichText }
  | Photo
  | { readonly type: 'slideshow'; readonly blocks: Photo[] }
  | { readonly type: 'video'; readonly video: File<'video'>; readonly caption?: Caption }
  | { readonly type: 'animation'; readonly animation: File<'animation'>; readonly caption?: Caption }
  | { readonly type: 'audio'; readonly audio: File<'audio'> & { readonly title: string } }
  | { readonly type: 'voice_note'; readonly voice_note: File<'voice_note'>; readonly caption?: Caption }
  | { readonly type: 'document'; readonly document: File<'document'>; readonly caption?: Caption }
  | { readonly type: 'table'; readonly cells: RichCell[][]; readonly is_bordered: true }
  | {
      readonly type: 'details';
      readonly summary: RichText;
      readonly blocks: RichBlock[];
      readonly is_open?: true;
    }
  | {
      readonly type: 'map';
      readonly location: { readonly latitude: number; readonly longitude: number };
      readonly zoom: number;
      readonly width: number;
      readonly height: number;
      readonly caption: Caption;
    }
  | { readonly type: 'buttons'; readonly buttons: RichButton[] };

export type RichMessage = { readonly blocks: RichBlock[] };

/** What a button that opens something can be. */
export type RichTarget = { readonly url: string } | { readonly web_app: { readonly url: string } };

/** What the document does not know of the chat that the message is for. */
export type RichPlace = {
  /** Username of the bot, for links into its chat; empty where nobody knows it. */
  readonly bot: string;
  /** What opens a page of the app; undefined where nothing does. */
  readonly open: (page: string) => RichTarget | undefined;
};
