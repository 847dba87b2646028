// What is said of each element. A property that a schema gains has no words here, and does not compile.
import type { ElementOf, ElementType, PropsOf } from '../../contract/app/elements.ts';

type Words<Type extends ElementType> = {
  readonly is: string;
  /** Empty where the name and the kind say it. */
  readonly props: { readonly [Prop in keyof PropsOf<Type>]-?: string };
  readonly example: ElementOf<Type>;
};

export const ELEMENT_GROUPS: readonly (readonly [title: string, types: readonly ElementType[]])[] = [
  ['Layout', ['stack', 'columns', 'tabs', 'details', 'each']],
  [
    'Content',
    [
      'heading',
      'text',
      'image',
      'gallery',
      'video',
      'audio',
      'file',
      'quote',
      'code',
      'note',
      'list',
      'table',
      'button',
      'links',
      'contacts',
      'map',
      'badge',
      'price',
      'divider',
      'spacer',
    ],
  ],
  ['Shop', ['products', 'product', 'cart', 'summary']],
  ['Forms', ['form', 'quiz']],
  ['The visitor', ['profile', 'language', 'cookies']],
];

export const ELEMENTS_IN_WORDS: { readonly [Type in ElementType]: Words<Type> } = {
  stack: {
    is: 'its children, one below the other',
    props: { gap: 'between them, `"m"` when absent', look: '' },
    example: { type: 'stack', props: { gap: 'l' }, children: ['title', 'about'] },
  },
  columns: {
    is: 'its children side by side, where there is room',
    props: {},
    example: { type: 'columns', props: {}, children: ['left', 'right'] },
  },
  tabs: {
    is: 'one of its children at a time; a child for each label',
    props: { labels: '' },
    example: { type: 'tabs', props: { labels: ['tab.hot', 'tab.cold'] }, children: ['hot', 'cold'] },
  },
  details: {
    is: 'a line that opens and shows its children',
    props: { summary: 'the line', open: 'at first' },
    example: { type: 'details', props: { summary: 'faq.delivery' }, children: ['deliveryText'] },
  },
  each: {
    is: 'its children once for every row of a data source; they read it as `row`',
    props: {
      from: 'the data source',
      empty: 'where there are no rows',
      layout: 'in a list, a square picture stands beside the words of its `card`',
    },
    example: { type: 'each', props: { from: 'masters', layout: 'grid' }, children: ['masterCard'] },
  },
  heading: {
    is: 'a heading',
    props: { text: '', level: '2 when absent' },
    example: { type: 'heading', props: { text: 'home.title', level: 1 } },
  },
  text: {
    is: 'a paragraph',
    props: { text: '', look: '' },
    example: { type: 'text', props: { text: 'home.about', look: 'lead' } },
  },
  image: {
    is: 'a picture',
    props: {
      photo: '`{ "media": id }` of a file, or `{ "from": "row.photo" }` of a column with photos',
      alt: 'what it shows',
      ratio: '`"auto"` when absent',
      do: 'when it is pressed',
    },
    example: { type: 'image', props: { photo: { media: 'cover' }, alt: 'cover.alt', ratio: '16:9' } },
  },
  gallery: {
    is: 'pictures to leaf through',
    props: { media: 'ids of photos', alt: 'what they show', zoom: 'opens them large' },
    example: { type: 'gallery', props: { media: ['one', 'two'], alt: 'gallery.alt', zoom: true } },
  },
  video: {
    is: 'a film',
    props: { media: 'id of a video or an animation', poster: 'id of a photo', title: '' },
    example: { type: 'video', props: { media: 'tour', poster: 'cover', title: 'tour.title' } },
  },
  audio: {
    is: 'a recording to listen to',
    props: { media: 'id of an audio file or a voice message', title: 'above it' },
    example: { type: 'audio', props: { media: 'birds', title: 'birds.title' } },
  },
  file: {
    is: 'a file to save',
    props: { media: 'id of a document', title: 'on the button' },
    example: { type: 'file', props: { media: 'priceList', title: 'price.list' } },
  },
  quote: {
    is: "somebody's words",
    props: { text: '', by: 'who said it', look: '`folded` opens when it is pressed, `pull` stands out' },
    example: { type: 'quote', props: { text: 'review.anna', by: 'review.annaName' } },
  },
  code: {
    is: 'code, or anything that keeps its spaces and lines',
    props: { text: '', language: 'as `"json"`; Telegram colours it' },
    example: { type: 'code', props: { text: 'wifi.settings' } },
  },
  note: { is: 'small print', props: { text: '' }, example: { type: 'note', props: { text: 'terms.short' } } },
  divider: { is: 'a line', props: {}, example: { type: 'divider', props: {} } },
  spacer: { is: 'room', props: { size: '`"m"` when absent' }, example: { type: 'spacer', props: { size: 'l' } } },
  list: {
    is: 'a list',
    props: { items: '', look: '' },
    example: { type: 'list', props: { items: ['why.fresh', 'why.near'], look: 'check' } },
  },
  table: {
    is: 'a table',
    props: { head: '', rows: '' },
    example: { type: 'table', props: { head: ['day', 'open'], rows: [['mon', 'mon.hours']] } },
  },
  map: {
    is: 'a place, with a map that loads when it is pressed',
    props: { latitude: '', longitude: '', label: '' },
    example: { type: 'map', props: { latitude: 55.75, longitude: 37.62, label: 'address' } },
  },
  badge: {
    is: 'a word in a coloured frame',
    props: { text: '', tone: '' },
    example: { type: 'badge', props: { text: 'new', tone: 'good' } },
  },
  price: {
    is: 'a sum, in the currency of the shop',
    props: { amount: '', before: 'struck out' },
    example: { type: 'price', props: { amount: { from: 'row.price' } } },
  },
  button: {
    is: 'a button, or a link that looks like one',
    props: { text: '', do: '', look: '' },
    example: { type: 'button', props: { text: 'home.order', do: { go: 'order' } } },
  },
  links: {
    is: 'a list of links',
    props: { items: '`{ "text": content, "do": action }`' },
    example: { type: 'links', props: { items: [{ text: 'vk', do: { open: 'https://vk.com/cafe' } }] } },
  },
  contacts: {
    is: 'how to reach the owner; a number, a mail and a name open',
    props: { phone: '', email: '', telegram: 'a name, as `@cafe`', address: '', hours: '' },
    example: { type: 'contacts', props: { phone: 'contact.phone', hours: 'contact.hours' } },
  },
  products: {
    is: 'the goods of the shop as cards, with counters for the cart',
    props: {
      photo: 'field with the photo',
      about: 'field with a description',
      category: 'field by which visitors choose',
      open: 'the page of one of them',
      search: 'a field to search in titles and descriptions',
      empty: 'where there are none',
    },
    example: { type: 'products', props: { photo: 'photo', category: 'kind', open: 'one', search: true } },
  },
  product: {
    is: 'one of the goods: the row of the page',
    props: {
      photo: 'field with the photo',
      about: 'field with a description',
      missing: 'where the page is opened without one of them',
    },
    example: { type: 'product', props: { photo: 'photo', about: 'about', missing: 'one.gone' } },
  },
  cart: {
    is: 'what is in the cart, with counters and the total',
    props: { empty: 'where nothing is in it' },
    example: { type: 'cart', props: { empty: 'cart.empty' } },
  },
  summary: {
    is: 'the same to read, for the page of the order',
    props: { title: '' },
    example: { type: 'summary', props: { title: 'order.what' } },
  },
  form: { is: 'a form', props: { form: 'id of the form' }, example: { type: 'form', props: { form: 'lead' } } },
  quiz: {
    is: 'a form that asks one question at a time, and then says the first result whose condition holds',
    props: {
      form: 'id of the form',
      results: '`{ "text": text, "showIf": condition }`; the last one without a condition',
    },
    example: {
      type: 'quiz',
      props: {
        form: 'taste',
        results: [{ text: 'result.tea', showIf: { field: 'form.taste.drink', is: 'tea' } }, { text: 'result.any' }],
      },
    },
  },
  profile: { is: 'the name of the visitor', props: {}, example: { type: 'profile', props: {} } },
  language: { is: 'the languages to choose from', props: {}, example: { type: 'language', props: {} } },
  cookies: {
    is: 'a question on the web, asked once: may the cart wait on this device; declined, it lasts until the page is left',
    props: { text: '', accept: '', decline: '' },
    example: { type: 'cookies', props: { text: 'cookies', accept: 'cookies.yes', decline: 'cookies.no' } },
  },
};
