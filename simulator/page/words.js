import { MINI_WORDS } from './mini-words.js';

const WORDS = {
  en: {
    title: 'Simulator',
    chats: 'Chats',
    you: 'You are',
    person: 'Person',
    newPerson: 'New person',
    guest: 'Guest',
    name: 'Name',
    add: 'Add',
    cancel: 'Cancel',
    language: 'Language',
    write: 'Message',
    send: 'Send',
    attach: 'Attach',
    photo: 'Photo or video',
    file: 'File',
    contact: 'My contact',
    place: 'Location',
    start: 'Start',
    unblock: 'Unblock',
    block: 'Block this bot',
    commands: 'Commands',
    keys: 'Keys',
    back: 'Back to the chats',
    typing: 'typing…',
    sending: 'sending a file…',
    recording: 'recording…',
    bot: 'bot',
    edited: 'edited',
    reply: 'Reply',
    edit: 'Edit',
    copy: 'Copy text',
    erase: 'Delete',
    actions: 'Actions',
    more: 'More',
    earlier: 'Show earlier messages',
    newest: 'To the newest',
    editing: 'Editing',
    replying: 'Reply to',
    copied: 'Copied',
    noBots: 'No bots yet',
    noBotsHint: 'Connect a bot to this simulator and it will appear here.',
    noChat: 'Choose a chat',
    noChatHint: 'Write to a bot as a person would. Nothing here reaches Telegram.',
    empty: 'Nothing here yet',
    emptyHint: 'Press Start to begin, as people do when they open the bot for the first time.',
    emptyGroup: 'Write something, and the bots of this group will see it.',
    lost: 'Connection lost, trying again',
    offline: 'You are offline. Messages are not sent.',
    failed: 'That did not work',
    noKey: 'This page needs its key',
    noKeyHint: 'Open the address that was printed in the terminal at the start. The key stands at its end.',
    gone: 'The simulator does not answer',
    goneHint: 'Your messages are kept there. This page comes back by itself.',
    tryAgain: 'Try again',
    unknown: 'This page cannot show this message',
    voice: 'Voice message',
    sticker: 'Sticker',
    album: 'Album',
    photoAlt: 'Photo',
    location: 'Location',
    openMap: 'Open the map',
    invoice: 'Invoice',
    paid: 'Paid',
    refunded: 'Refunded',
    payDone: 'Payment went through',
    payFailed: 'Payment refused',
    joined: 'joined',
    left: 'left',
    pinned: 'pinned a message',
    newTitle: 'New title',
    becameSuper: 'The group is a supergroup now',
    webData: 'Data of a Mini App',
    poll: 'Poll',
    quiz: 'Quiz',
    closed: 'closed',
    reveal: 'Show hidden text',
    spoiler: 'Hidden',
    today: 'Today',
    yesterday: 'Yesterday',
    find: 'Find a chat',
    forwarded: 'Forwarded from',
    downloads: 'Download',
    media_photo: 'Photo',
    media_video: 'Video',
    media_document: 'File',
    media_audio: 'Audio',
    media_voice: 'Voice message',
    media_sticker: 'Sticker',
    media_contact: 'Contact',
    media_location: 'Location',
    media_poll: 'Poll',
    media_animation: 'GIF',
    media_video_note: 'Video message',
    media_invoice: 'Invoice',
    close: 'Close',
    switchPerson: 'Write as somebody else',
    alertTitle: 'The bot says',
    ok: 'OK',
    members: { one: '{n} member', other: '{n} members' },
    votes: { one: '{n} vote', other: '{n} votes' },
  },
  ru: {
    title: 'Симулятор',
    chats: 'Чаты',
    you: 'Вы пишете как',
    person: 'Человек',
    newPerson: 'Новый человек',
    guest: 'Гость',
    name: 'Имя',
    add: 'Добавить',
    cancel: 'Отмена',
    language: 'Язык',
    write: 'Сообщение',
    send: 'Отправить',
    attach: 'Прикрепить',
    photo: 'Фото или видео',
    file: 'Файл',
    contact: 'Мой контакт',
    place: 'Место на карте',
    start: 'Начать',
    unblock: 'Разблокировать',
    block: 'Заблокировать бота',
    commands: 'Команды',
    keys: 'Кнопки',
    back: 'К списку чатов',
    typing: 'печатает…',
    sending: 'отправляет файл…',
    recording: 'записывает…',
    bot: 'бот',
    edited: 'изменено',
    reply: 'Ответить',
    edit: 'Изменить',
    copy: 'Скопировать текст',
    erase: 'Удалить',
    actions: 'Действия',
    more: 'Ещё',
    earlier: 'Показать более ранние',
    newest: 'К последним',
    editing: 'Изменение',
    replying: 'Ответ на',
    copied: 'Скопировано',
    noBots: 'Ботов пока нет',
    noBotsHint: 'Подключите бота к этому симулятору, и он появится здесь.',
    noChat: 'Выберите чат',
    noChatHint: 'Пишите боту так, как писал бы человек. В Telegram отсюда ничего не уходит.',
    empty: 'Здесь пока пусто',
    emptyHint: 'Нажмите «Начать», как делают люди, когда открывают бота впервые.',
    emptyGroup: 'Напишите что-нибудь, и боты этой группы это увидят.',
    lost: 'Связь потеряна, пробуем снова',
    offline: 'Нет сети. Сообщения не отправляются.',
    failed: 'Не получилось',
    noKey: 'Странице нужен её ключ',
    noKeyHint: 'Откройте адрес, который при запуске появился в терминале: ключ стоит в его конце.',
    gone: 'Симулятор не отвечает',
    goneHint: 'Ваши сообщения сохранены там. Страница вернётся сама.',
    tryAgain: 'Попробовать снова',
    unknown: 'Эта страница не умеет показывать такое сообщение',
    voice: 'Голосовое сообщение',
    sticker: 'Стикер',
    album: 'Альбом',
    photoAlt: 'Фото',
    location: 'Место на карте',
    openMap: 'Открыть карту',
    invoice: 'Счёт',
    paid: 'Оплачено',
    refunded: 'Деньги возвращены',
    payDone: 'Оплата прошла',
    payFailed: 'В оплате отказано',
    joined: 'теперь в группе',
    left: 'больше не в группе',
    pinned: 'закрепил(а) сообщение',
    newTitle: 'Новое название',
    becameSuper: 'Группа стала супергруппой',
    webData: 'Данные мини-приложения',
    poll: 'Опрос',
    quiz: 'Викторина',
    closed: 'закончен',
    reveal: 'Показать скрытый текст',
    spoiler: 'Скрыто',
    today: 'Сегодня',
    yesterday: 'Вчера',
    find: 'Найти чат',
    forwarded: 'Переслано от',
    downloads: 'Скачать',
    media_photo: 'Фото',
    media_video: 'Видео',
    media_document: 'Файл',
    media_audio: 'Аудио',
    media_voice: 'Голосовое сообщение',
    media_sticker: 'Стикер',
    media_contact: 'Контакт',
    media_location: 'Место на карте',
    media_poll: 'Опрос',
    media_animation: 'GIF',
    media_video_note: 'Видеосообщение',
    media_invoice: 'Счёт',
    close: 'Закрыть',
    switchPerson: 'Писать от другого имени',
    alertTitle: 'Бот сообщает',
    ok: 'Понятно',
    members: { one: '{n} участник', few: '{n} участника', many: '{n} участников', other: '{n} участника' },
    votes: { one: '{n} голос', few: '{n} голоса', many: '{n} голосов', other: '{n} голоса' },
  },
};

function firstLanguage() {
  const asked = new URLSearchParams(location.search).get('lang') ?? stored();
  if (asked === 'ru' || asked === 'en') return asked;
  return navigator.languages?.some((tag) => tag.toLowerCase().startsWith('ru')) ? 'ru' : 'en';
}

function stored() {
  try {
    return localStorage.getItem('roost-language');
  } catch {
    return null;
  }
}

let language = firstLanguage();
document.documentElement.lang = language;

/** The words of the page's language. */
export function word(name) {
  return WORDS[language][name] ?? MINI_WORDS[language][name] ?? WORDS.en[name] ?? name;
}

/** A number with its noun, in the right form. */
export function count(name, number) {
  const forms = WORDS[language][name];
  const form = forms[new Intl.PluralRules(language).select(number)] ?? forms.other;
  return form.replace('{n}', new Intl.NumberFormat(language).format(number));
}

export function currentLanguage() {
  return language;
}

export function setLanguage(next) {
  language = next;
  document.documentElement.lang = next;
  try {
    localStorage.setItem('roost-language', next);
  } catch {
    // A private window: the choice lasts as long as the page.
  }
}

/** The person's own way to write dates, where it is of the page's language. */
function region() {
  return navigator.languages?.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
}

export function timeOf(seconds) {
  return new Intl.DateTimeFormat(region(), { hour: '2-digit', minute: '2-digit' }).format(seconds * 1000);
}

export function dayOf(seconds) {
  const day = (ms) => new Date(ms).toDateString();
  if (day(seconds * 1000) === day(Date.now())) return word('today');
  if (day(seconds * 1000) === day(Date.now() - 86_400_000)) return word('yesterday');
  return new Intl.DateTimeFormat(region(), { day: 'numeric', month: 'long' }).format(seconds * 1000);
}

export function sizeOf(bytes) {
  const units = language === 'ru' ? ['Б', 'КБ', 'МБ'] : ['B', 'KB', 'MB'];
  const step = bytes < 1024 ? 0 : bytes < 1024 * 1024 ? 1 : 2;
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / 1024 ** step)} ${units[step]}`;
}

export function moneyOf(amount, currency) {
  if (currency === 'XTR') return `⭐ ${new Intl.NumberFormat(language).format(amount)}`;
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount / 100);
}
