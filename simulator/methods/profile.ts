import type { Call, Method } from '../api/call.ts';
import { badRequest } from '../api/refusal.ts';
import { appAddressFault } from '../apps/address.ts';
import { type MenuButton, menuButtonOf } from '../apps/bot-apps.ts';

/** A setting of one scope and language. */
function keyOf(call: Call, name: string): string {
  const language = call.text('language_code') ?? '';
  if (!/^([a-z]{2})?$/.test(language)) throw badRequest('invalid language code specified');
  return `${name} ${JSON.stringify(call.object('scope') ?? { type: 'default' })} ${language}`;
}

export const setMyCommands: Method = (call) => {
  const commands = call.list('commands') ?? [];
  if (commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  for (const item of commands) {
    const { command, description } = (item ?? {}) as { command?: unknown; description?: unknown };
    if (typeof command !== 'string' || !/^\/?[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
    if (typeof description !== 'string' || description === '' || [...description].length > 256)
      throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
  }
  // An empty list is none: the next wider one is shown.
  if (commands.length === 0) call.bot.profile.delete(keyOf(call, 'commands'));
  else call.bot.profile.set(keyOf(call, 'commands'), commands);
  call.world.feed.publish('bot', '', { id: call.bot.id, commands });
  return true;
};

export const getMyCommands: Method = (call) => call.bot.profile.get(keyOf(call, 'commands')) ?? [];

export const deleteMyCommands: Method = (call) => {
  call.bot.profile.delete(keyOf(call, 'commands'));
  call.world.feed.publish('bot', '', { id: call.bot.id, commands: [] });
  return true;
};

/** A pair of methods that store and show one text in every language. */
function textPair(
  name: string,
  charactersMax: number,
  whenUnset: (call: Call) => string,
): { set: Method; get: Method } {
  return {
    set: (call) => {
      const text = call.text(name) ?? '';
      if ([...text].length > charactersMax) throw badRequest(`${name} is too long`);
      call.bot.profile.set(`${name} ${call.text('language_code') ?? ''}`, text);
      return true;
    },
    get: (call) => {
      const text =
        call.bot.profile.get(`${name} ${call.text('language_code') ?? ''}`) ?? call.bot.profile.get(`${name} `);
      return { [name]: text || whenUnset(call) };
    },
  };
}

export const myName = textPair('name', 64, (call) => call.bot.user.first_name);
export const myDescription = textPair('description', 512, () => '');
export const myShortDescription = textPair('short_description', 120, () => '');

function readMenuButton(call: Call): MenuButton {
  const button = call.object('menu_button') ?? { type: 'default' };
  if (button.type === 'commands' || button.type === 'default') return { type: button.type };
  if (button.type !== 'web_app') throw badRequest("can't parse MenuButton: MenuButton has unsupported type");
  const { url } = (button.web_app ?? {}) as { url?: unknown };
  if (typeof button.text !== 'string' || typeof url !== 'string')
    throw badRequest(`can't parse MenuButton: Can't find field "${typeof url === 'string' ? 'text' : 'web_app'}"`);
  if (button.text === '') throw badRequest("menu button text can't be empty");
  const fault = appAddressFault(url, call.world.settings.appsOverHttp);
  if (fault) throw badRequest(`menu button Web App ${fault}`);
  return { type: 'web_app', text: button.text, web_app: { url } };
}

export const setChatMenuButton: Method = (call) => {
  const button = readMenuButton(call);
  const chat = call.number('chat_id');
  if (chat !== undefined && chat < 0) throw badRequest('chat_id must be the identifier of a private chat');
  call.bot.profile.set(`menu ${chat ?? ''}`, button);
  call.world.feed.publish('bot', '', { id: call.bot.id, menu_button: button });
  return true;
};

export const getChatMenuButton: Method = (call) => menuButtonOf(call.bot, call.number('chat_id'));

export const setMyDefaultAdministratorRights: Method = (call) => {
  call.bot.profile.set(`rights ${call.flag('for_channels')}`, call.object('rights'));
  return true;
};

const NO_RIGHTS = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
};

export const getMyDefaultAdministratorRights: Method = (call) =>
  call.bot.profile.get(`rights ${call.flag('for_channels')}`) ?? NO_RIGHTS;
