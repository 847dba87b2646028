// What visitors are told, in Russian or in English.

type Phrases = { readonly [Name in keyof typeof ru]: (typeof ru)[Name] extends string ? string : (typeof ru)[Name] };

const ru = {
  openAgain:
    'Откройте приложение заново из чата с ботом: так мы узнаем, кто вы. Скопируйте написанное, если его много. Ничего не отправлено.',
  stale:
    'Приложение открыто больше суток. Скопируйте написанное, закройте приложение и откройте его заново из чата с ботом. Ничего не отправлено.',
  openAgainKept:
    'Telegram не подтвердил, кто вы. Закройте приложение и откройте его заново из чата с ботом: написанное будет на месте, останется отправить. Пока ничего не отправлено.',
  staleKept:
    'Приложение открыто больше суток. Закройте его и откройте заново из чата с ботом: написанное будет на месте, останется отправить. Пока ничего не отправлено.',
  unknownVisitor:
    'Браузер не сохранил cookie этой страницы. Разрешите cookie для неё и отправьте ещё раз: написанное останется. Ничего не отправлено.',
  outdated: 'Страница изменилась с тех пор, как вы её открыли. Обновите её. Ничего не отправлено.',
  outdatedKept:
    'Страница изменилась с тех пор, как вы её открыли. Обновите её: написанное будет на месте, останется отправить. Пока ничего не отправлено.',
  fix: 'Проверьте отмеченные поля. Ничего не отправлено.',
  tooMany: 'Слишком много отправлено подряд. Подождите немного и попробуйте ещё раз.',
  keyUsed: 'То, что вы отправили раньше, уже у нас. Чтобы отправить другое, обновите страницу.',
  required: 'Заполните это поле',
  consent: 'Без согласия отправить нельзя',
  text: (max: number) => `Здесь помещается ${max} знаков`,
  phone: 'Напишите номер цифрами, как +7 900 123-45-67',
  phoneCountry: 'Напишите номер с плюсом и кодом страны, как +49 30 123456',
  thisOne: (phone: string) => `Если это ${phone}, напишите его с плюсом`,
  whichOne: (meanings: readonly string[]) => `Это можно понять по-разному. Напишите ${meanings.join(' или ')}`,
  email: 'Напишите почту целиком, как anna@mail.ru',
  number: 'Напишите число',
  atLeast: (min: number) => `Не меньше ${min}`,
  atMost: (max: number) => `Не больше ${max}`,
  choose: 'Выберите один из вариантов',
  date: 'Выберите день, как 31.12.2026',
  earliest: (day: string) => `Не раньше ${day}`,
  latest: (day: string) => `Не позже ${day}`,
  time: 'Напишите время, как 09:30',
  file: 'Этот файл не найден. Загрузите его ещё раз',
  files: (max: number) => `Не больше ${max} файлов`,
  gone: 'Этого больше нет. Выберите другое',
  slotTaken: 'Это время уже заняли. Выберите другое. Ничего не забронировано.',
  cartEmpty: 'Корзина пуста. Добавьте что-нибудь и отправьте ещё раз.',
  cartMany: (max: number) => `В одном заказе помещается ${max} разных товаров. Уберите лишнее. Ничего не заказано.`,
  cartDear: 'Для одного заказа это слишком много. Закажите меньше. Ничего не заказано.',
  cartChanged: (names: string) =>
    `Пока вы выбирали, кое-что закончилось: ${names}. Поправьте корзину. Ничего не заказано.`,
  leftOnly: (name: string, left: number) => `${name} (осталось ${left})`,
  minimum: (sum: string) => `Заказ принимаем от ${sum}. Ничего не заказано.`,
  fileKind: 'Такой файл не подходит. Пришлите картинку JPEG, PNG, WebP или GIF.',
  fileKindAny: 'Такой файл не подходит. Подойдут картинки, PDF, документы и таблицы, простой текст.',
  fileBroken: 'Файл повреждён. Сохраните его заново и попробуйте ещё раз.',
  fileLarge: (megabytes: number) => `Файл слишком большой: помещается ${megabytes} МБ.`,
  fileMany: 'Слишком много файлов. Отправьте форму с теми, что уже загружены.',
  missingTitle: 'Такой страницы нет',
  missing: 'Возможно, её убрали или в адресе ошибка.',
  home: 'На первую страницу',
  nothingTitle: 'Здесь пока ничего нет',
  nothing: 'Приложение ещё не опубликовано или адрес написан с ошибкой.',
  laterTitle: 'Страница пока не открывается',
  later: 'Так бывает недолго. Подождите минуту.',
  again: 'Попробовать ещё раз',
  ofNumber: 'Номер',
  total: 'Итого',
  yes: 'да',
  no: 'нет',
};

const en: Phrases = {
  openAgain:
    'Open the app again from the chat with the bot, so that we know who you are. Copy what you wrote if it is long. Nothing was sent.',
  stale:
    'The app has been open for more than a day. Copy what you wrote, close the app and open it again from the chat with the bot. Nothing was sent.',
  openAgainKept:
    'Telegram did not confirm who you are. Close the app and open it again from the chat with the bot: what you wrote will be there, ready to send. Nothing was sent yet.',
  staleKept:
    'The app has been open for more than a day. Close it and open it again from the chat with the bot: what you wrote will be there, ready to send. Nothing was sent yet.',
  unknownVisitor:
    'The browser did not keep the cookie of this page. Allow cookies for it and send again: what you wrote stays. Nothing was sent.',
  outdated: 'The page has changed since you opened it. Reload it. Nothing was sent.',
  outdatedKept:
    'The page has changed since you opened it. Reload it: what you wrote will be there, ready to send. Nothing was sent yet.',
  fix: 'Look at the marked fields. Nothing was sent.',
  tooMany: 'Too much was sent in a row. Wait a little and try again.',
  keyUsed: 'What you sent before has arrived. To send something else, reload the page.',
  required: 'Fill in this field',
  consent: 'It cannot be sent without your consent',
  text: (max) => `There is room for ${max} characters`,
  phone: 'Write the number in digits, as in +44 20 7946 0958',
  phoneCountry: 'Write the number with a plus and the code of its country, as +49 30 123456',
  thisOne: (phone: string) => `If this is ${phone}, write it with the plus`,
  whichOne: (meanings: readonly string[]) => `This can mean different things. Write ${meanings.join(' or ')}`,
  email: 'Write the whole address, as in anna@mail.com',
  number: 'Write a number',
  atLeast: (min) => `At least ${min}`,
  atMost: (max) => `At most ${max}`,
  choose: 'Choose one of the answers',
  date: 'Choose a day',
  earliest: (day) => `Not before ${day}`,
  latest: (day) => `Not after ${day}`,
  time: 'Write a time, as in 09:30',
  file: 'This file was not found. Upload it again',
  files: (max) => `At most ${max} files`,
  gone: 'This is gone. Choose another',
  slotTaken: 'Somebody has taken this time. Choose another. Nothing was booked.',
  cartEmpty: 'The cart is empty. Add something and send again.',
  cartMany: (max) => `One order has room for ${max} different things. Take some out. Nothing was ordered.`,
  cartDear: 'This is too much for one order. Order less. Nothing was ordered.',
  cartChanged: (names) => `While you were choosing, something ran out: ${names}. Change the cart. Nothing was ordered.`,
  leftOnly: (name, left) => `${name} (${left} left)`,
  minimum: (sum) => `We take orders from ${sum}. Nothing was ordered.`,
  fileKind: 'This file does not fit. Send a picture: JPEG, PNG, WebP or GIF.',
  fileKindAny: 'This file does not fit. Pictures, PDF, documents, spreadsheets and plain text do.',
  fileBroken: 'The file is damaged. Save it anew and try again.',
  fileLarge: (megabytes) => `The file is too large: there is room for ${megabytes} MB.`,
  fileMany: 'Too many files. Send the form with those that are uploaded.',
  missingTitle: 'There is no such page',
  missing: 'It may have been taken away, or the address has a mistake.',
  home: 'To the first page',
  nothingTitle: 'There is nothing here yet',
  nothing: 'The app was not published yet, or the address has a mistake.',
  laterTitle: 'The page does not open right now',
  later: 'This does not last long. Wait a minute.',
  again: 'Try again',
  ofNumber: 'Number',
  total: 'Total',
  yes: 'yes',
  no: 'no',
};

/** What these words can be had in, for whoever has no pages of their own. */
export const ownLanguages = { locales: ['ru', 'en'], defaultLocale: 'en' };

/** The words of a language: Russian, or English for every other one. */
export function words(locale: string): Phrases {
  return locale.startsWith('ru') ? ru : en;
}
