// Every limit a flow lives under, with its unit in the name. The engine, the checks and the builder read them here.

/** Our own limits: passing one is a fault that the maker sees, never a crash. */
export const FLOW_LIMITS = {
  blocksPerTurn: 200,
  effectsPerTurn: 50,
  callDepth: 32,
  conversationBytes: 65_536,
  /** Of them: variables and names of messages. The rest is for the place in the flow. */
  conversationVarsBytes: 57_344,
  conversationRefsBytes: 4_096,
  traceEntries: 300,
  contactVarsBytes: 65_536,
  botVarsBytes: 65_536,
  documentBytes: 2_097_152,
  documentDepth: 64,
  cards: 1_000,
  blocks: 5_000,
  blocksPerCard: 100,
  triggers: 500,
  variables: 500,
  texts: 10_000,
  textBytes: 65_536,
  media: 1_000,
  locales: 20,
  idChars: 64,
  titleChars: 100,
  spansPerText: 500,
  keywordsPerTrigger: 100,
  /** Every message is looked through for all of them: some 0.5 microseconds each. */
  keywords: 5_000,
  keywordChars: 200,
  patternChars: 500,
  expressionChars: 2_000,
  expressionNodes: 500,
  expressionDepth: 40,
  /** Work of one expression, and of all expressions and patterns of a turn: a step is some 50 to 100 ns. */
  expressionSteps: 20_000,
  expressionStepsPerTurn: 200_000,
  expressionValueChars: 65_536,
  patternProgramSize: 1_000,
  patternTextChars: 4_096,
  conditionsPerGroup: 50,
  branches: 50,
  choices: 50,
  assignments: 50,
  tagsPerBlock: 20,
  tagsPerContact: 200,
  tagChars: 64,
  notifyChats: 20,
  inputAttemptsMax: 100,
  waitMsMin: 1_000,
  waitMsMax: 366 * 86_400_000,
  callTimeoutMs: 30_000,
  tableTextChars: 4_000,
  /** Each is a statement in the transaction of the turn, which others may have to wait for. */
  tableUsesPerTurn: 20,
  listItems: 1_000,
} as const;

/** Telegram's limits as Bot API 10.3 states them. `Chars` are UTF-16 units unless said, `Bytes` are UTF-8. */
export const TELEGRAM_LIMITS = {
  textChars: 4_096,
  captionChars: 1_024,
  /** Of one message; the formatting of the rest is dropped without a word. */
  entities: 100,
  albumItemsMin: 2,
  albumItemsMax: 10,
  callbackDataBytes: 64,
  callbackAnswerChars: 200,
  copyTextChars: 256,
  buttonLabelChars: 64,
  buttonsPerRow: 8,
  buttons: 100,
  startParameterChars: 64,
  placeholderChars: 64,
  /** Of one list: https://core.telegram.org/bots/api#setmycommands */
  commands: 100,
  commandDescriptionChars: 256,
  urlChars: 2_048,
} as const;

/** The room for variables, by their scope. */
export const VARS_BYTES = {
  conversation: FLOW_LIMITS.conversationVarsBytes,
  contact: FLOW_LIMITS.contactVarsBytes,
  bot: FLOW_LIMITS.botVarsBytes,
} as const;
