/** Filters of Jinja that chat templates have no use for; they are refused where they are used. */
export const REFUSED_FILTERS: ReadonlySet<string> = new Set(
  'filesizeformat pprint random striptags truncate urlencode urlize wordwrap xmlattr'.split(' '),
);
