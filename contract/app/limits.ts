// Every limit a Mini App lives under, with its unit in the name.

export const APP_LIMITS = {
  pages: 100,
  elements: 2_000,
  /** Of elements inside elements. */
  depth: 16,
  childrenPerElement: 200,
  texts: 5_000,
  textChars: 8_000,
  spansPerText: 200,
  data: 50,
  fieldsPerData: 40,
  /** Rows of one data source that reach a visitor's phone. */
  rowsPerData: 500,
  forms: 50,
  fieldsPerForm: 50,
  optionsPerField: 200,
  valueChars: 4_000,
  bookings: 20,
  conditionsPerGroup: 20,
  conditionDepth: 4,
  listItems: 200,
  tableRows: 200,
  tableColumns: 12,
  galleryItems: 50,
  urlChars: 2_048,
  pathChars: 100,
  /** In one cart: different things, and of each. */
  cartItems: 50,
  cartCountMax: 99,
  quizResults: 20,
  /** One uploaded file, and files of one event. */
  fileBytes: 10 * 1024 * 1024,
  filesPerEvent: 5,
  eventBytes: 64 * 1024,
} as const;
