// What begins something: a command, words, a press, a kind of message, a change of membership, what a visitor of the app
// has sent, anything else.

import { z } from 'zod';
import { idSchema, textKeySchema, variableNameSchema } from './ids.ts';
import { FLOW_LIMITS, TELEGRAM_LIMITS } from './limits.ts';

/** Where a trigger listens. Groups and supergroups are one thing to a maker. */
export const chatTypeSchema = z.enum(['private', 'group', 'channel']);
export type ChatType = z.infer<typeof chatTypeSchema>;

/** Kinds of messages that a `kind` trigger can name. */
export const messageKindSchema = z.enum([
  'photo',
  'video',
  'document',
  'voice',
  'audio',
  'animation',
  'videoNote',
  'sticker',
  'contact',
  'location',
  'venue',
  'poll',
  'dice',
  'story',
  'album',
  'newMembers',
  'leftMember',
  'payment',
  'webAppData',
]);
export type MessageKind = z.infer<typeof messageKindSchema>;

export const memberChangeSchema = z.enum([
  'joined',
  'left',
  'promoted',
  'demoted',
  'restricted',
  'botAdded',
  'botRemoved',
  'botPromoted',
  'botDemoted',
  'blocked',
  'unblocked',
]);
export type MemberChange = z.infer<typeof memberChangeSchema>;

const base = {
  to: idSchema,
  title: z.string().max(FLOW_LIMITS.titleChars).optional(),
  /** Goes before a block that waits for an answer. Commands, start parameters and the app do by default, the others do not. */
  interrupts: z.boolean().optional(),
  in: z.array(chatTypeSchema).min(1).max(3).optional(),
};

const commandName = z.string().regex(/^[a-z0-9_]{1,32}$/, 'A command holds small Latin letters, digits and "_"');
const keyword = z.string().min(1).max(FLOW_LIMITS.keywordChars);
const pattern = z.string().min(1).max(FLOW_LIMITS.patternChars);

export const triggerSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('command'),
    ...base,
    /** `description`: plain words by which Telegram's menu of commands lists it; without them it is not listed. */
    props: z.strictObject({
      command: commandName,
      description: textKeySchema.optional(),
      into: variableNameSchema.optional(),
    }),
  }),
  z.strictObject({
    type: z.literal('start'),
    ...base,
    /** No `equals` and no `prefix`: any start parameter. `into` keeps what follows the prefix. */
    props: z.strictObject({
      equals: z.string().min(1).max(TELEGRAM_LIMITS.startParameterChars).optional(),
      prefix: z.string().min(1).max(TELEGRAM_LIMITS.startParameterChars).optional(),
      into: variableNameSchema.optional(),
    }),
  }),
  z.strictObject({
    type: z.literal('text'),
    ...base,
    props: z.union([
      z.strictObject({ any: z.literal(true) }),
      z.strictObject({
        keywords: z.array(keyword).min(1).max(FLOW_LIMITS.keywordsPerTrigger),
        match: z.enum(['equals', 'startsWith', 'contains']).optional(),
      }),
      z.strictObject({ pattern, into: variableNameSchema.optional() }),
    ]),
  }),
  z.strictObject({
    type: z.literal('button'),
    ...base,
    props: z.union([
      /** A button of ours that has no exit of its own. */
      z.strictObject({ block: idSchema, button: idSchema }),
      /** A button that somebody else's program put there: its raw data. */
      z.strictObject({
        data: z.string().min(1).max(TELEGRAM_LIMITS.callbackDataBytes),
        match: z.enum(['equals', 'startsWith']).optional(),
        into: variableNameSchema.optional(),
      }),
    ]),
  }),
  z.strictObject({
    type: z.literal('kind'),
    ...base,
    props: z.strictObject({ kinds: z.array(messageKindSchema).min(1).max(20) }),
  }),
  z.strictObject({
    type: z.literal('member'),
    ...base,
    props: z.strictObject({ changes: z.array(memberChangeSchema).min(1).max(11) }),
  }),
  z.strictObject({
    type: z.literal('app'),
    ...base,
    /** No `form`: any of them. `into`: fields of the form into variables; one that was left empty empties its variable. */
    props: z.strictObject({
      form: idSchema.optional(),
      into: z.record(idSchema, variableNameSchema).optional(),
    }),
  }),
  z.strictObject({ type: z.literal('fallback'), ...base, props: z.strictObject({}) }),
]);
export type Trigger = z.infer<typeof triggerSchema>;
export type TriggerType = Trigger['type'];
