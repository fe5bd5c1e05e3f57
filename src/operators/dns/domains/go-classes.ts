// The names that `\p{...}` takes in Go's regular expressions (1.26): categories, their long names, and scripts of one word. Case, blanks,
// underscores and hyphens make no difference, which is why scripts whose table has an underscore in its name are not found there.

const words = `
any ascii assigned lc
c cc cf cn co cs l ll lm lo lt lu m mc me mn n nd nl no p pc pd pe pf pi po ps s sc sk sm so z zl zp zs
casedletter closepunctuation combiningmark connectorpunctuation control currencysymbol dashpunctuation decimalnumber enclosingmark
finalpunctuation format initialpunctuation letter letternumber lineseparator lowercaseletter mark mathsymbol modifierletter modifiersymbol
nonspacingmark number openpunctuation other otherletter othernumber otherpunctuation othersymbol paragraphseparator privateuse punctuation
separator spaceseparator spacingmark surrogate symbol titlecaseletter unassigned uppercaseletter cntrl digit punct
adlam ahom arabic armenian avestan balinese bamum batak bengali bhaiksuki bopomofo brahmi braille buginese buhid carian chakma cham cherokee
chorasmian common coptic cuneiform cypriot cyrillic deseret devanagari dogra duployan elbasan elymaic ethiopic georgian glagolitic gothic
grantha greek gujarati gurmukhi han hangul hanunoo hatran hebrew hiragana inherited javanese kaithi kannada katakana kawi kharoshthi khmer
khojki khudawadi lao latin lepcha limbu lisu lycian lydian mahajani makasar malayalam mandaic manichaean marchen medefaidrin miao modi
mongolian mro multani myanmar nabataean nandinagari newa nko nushu ogham oriya osage osmanya palmyrene phoenician rejang runic samaritan
saurashtra sharada shavian siddham sinhala sogdian soyombo sundanese syriac tagalog tagbanwa takri tamil tangsa tangut telugu thaana thai
tibetan tifinagh tirhuta toto ugaritic vai vithkuqi wancho yezidi yi`

const known: ReadonlySet<string> = new Set(words.trim().split(/\s+/))

export function isGoClass(name: string): boolean {
  return known.has(name.replaceAll(/[ _-]/g, '').toLowerCase())
}
