/** The emoji that can be a reaction, as the Bot API lists them, without the sign that asks for a picture. */
export const REACTIONS: ReadonlySet<string> = new Set(
  [
    '👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨',
    '😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎',
    '👾 🤷‍♂ 🤷 🤷‍♀ 😡',
  ]
    .join(' ')
    .split(' '),
);
