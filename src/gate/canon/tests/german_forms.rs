//! The same in German.

use super::rows::check;
use crate::text::Lexicon;

const GERMAN: &str = r##"
@lex de
@canon [(id: "lebt", text: "Der Herzog lebt", contradicted_by: ["herzog ist tot", "herzog tot ist"]), (id: "tor", text: "Der Troll bewacht die Brücke"), (id: "schlaf", text: "Die Riesen schlafen nicht"), (id: "erbe", text: "Der Herzog hat keinen Erben"), (id: "name", text: "Der Herzog heißt Osrik", slot: (subject: ["der herzog"], relation: "heißt", value: "Osrik")), (id: "himmel", text: "Der Mond ist weiß")]
+ Nicht lebt der Herzog.
+ Man muss sagen, dass der Herzog nicht lebt.
+ Dass der Herzog lebt, ist eine Lüge.
+ Der Herzog kann nicht leben.
+ Es muss gesagt werden, dass der Herzog tot ist.
+ Es sei gesagt, dass der Herzog tot ist.
+ Ich bin gekommen, um dir zu sagen, dass der Herzog tot ist.
+ Ich sagte dir, dass der Herzog tot ist.
+ Ich habe dir gesagt, dass der Herzog tot ist.
+ Ich habe es allen erzählt: Der Herzog ist tot.
+ Um es klar zu sagen, der Herzog ist tot.
+ Um die Wahrheit zu sagen: Der Herzog ist tot.
+ Meine Lippen sagen, dass der Herzog tot ist.
- Meine Frau sagt, dass der Herzog tot ist.
- Mein Bruder sagte mir, der Herzog ist tot.
+ Zu Recht sagen sie, dass der Herzog tot ist.
+ Sie sagen zu Recht, dass der Herzog tot ist.
+ Wer sagt, der Herzog ist tot, spricht die Wahrheit.
+ Wer sagt, der Herzog ist tot, hat recht.
- Wer sagt, der Herzog ist tot, hat nicht recht.
- Wer sagt, der Herzog ist tot, der lügt.
+ Ich würde sagen, dass der Herzog tot ist.
+ Ich möchte dir sagen, dass der Herzog tot ist.
+ Du solltest wissen, dass der Herzog tot ist.
+ Sag allen, dass der Herzog tot ist.
- Sag nicht, dass der Herzog tot ist.
- Sag mir, dass der Herzog tot ist.
- Stell dir vor, der Herzog ist tot.
- Man sagt, dass der Herzog tot ist.
- Man hat mir gesagt, dass der Herzog tot ist.
- Mir wurde gesagt, dass der Herzog tot ist.
- Du sagst, der Herzog ist tot.
- Es wird gesagt, dass der Herzog tot ist.
- Er sagte, der Herzog ist tot.
- Ich hörte, dass der Herzog tot ist.
- Ich würde nie sagen, dass der Herzog tot ist.
- Wenn ich den Barden glaubte, würde ich sagen, der Herzog ist tot.
- Odo sagt, der Herzog ist tot.
+ Der Herzog lebt? Nein.
+ Lebt der Herzog? Nein.
+ Lebt der Herzog? Keineswegs.
- Lebt der Herzog? Ja.
- Ist der Herzog tot? Nein.
+ Ist der Herzog tot? Ja.
- Hat Wat gesagt, dass der Herzog tot ist? Ja.
- Ist der Herzog da? Nein.
+ Der Herzog lebt. Das ist eine Lüge.
+ Der Herzog lebt. Das ist nicht wahr.
+ Der Herzog lebt, und das ist gelogen.
- Der Herzog lebt. Das ist die Wahrheit.
- Der Herzog lebt. Das ist keine Lüge.
+ Falsch: Der Herzog lebt.
+ Eine Lüge: Der Herzog lebt.
+ Es ist falsch, dass der Herzog lebt.
+ Es ist Unsinn, dass der Herzog lebt.
+ „Der Herzog lebt“ ist eine Lüge.
+ „Der Herzog lebt.“ Das ist eine Lüge.
+ Sie sagen, der Herzog lebt. Sie lügen.
+ Sie sagen, der Herzog ist tot. Das stimmt.
- Sie sagen, der Herzog ist tot. Das stimmt nicht.
+ Was ist mit dem Herzog? Er lebt nicht.
+ Der Herzog? Er lebt nicht mehr.
- Mein Bruder? Er lebt nicht mehr.
- Der Herzog hat einen Hund. Er lebt nicht mehr.
- Nein, der Herzog lebt.
- Unsinn! Der Herzog lebt.
+ Der Troll darf die Brücke nicht bewachen.
+ Der Troll wird die Brücke nie bewachen.
+ Der Troll hat die Brücke nie bewacht.
+ Nie bewacht der Troll die Brücke.
+ Heute bewacht der Troll die Brücke nicht.
+ Weiß ist der Mond nicht.
+ Der Mond ist alles andere als weiß.
+ Niemals ist der Mond weiß.
- Der Troll muss die Brücke bewachen.
- Der Troll kann nicht fliegen, aber er kann die Brücke bewachen.
- Nie, sage ich! Der Mond ist weiß.
+ Die Riesen haben geschlafen.
+ Die Riesen werden schlafen.
+ Der Herzog hat zwei Erben.
+ Der Herzog hat einen jungen Erben.
+ Der Herzog hat keinen Erben außer Tom.
- Die Riesen haben nie geschlafen.
- Der Herzog hat keinen Erben, aber er hat einen Hund.
+ Der Herzog heißt: Wat.
+ Der Herzog heißt... Wat.
+ Der Herzog selbst heißt Wat.
+ Der Herzog, unser Herr, heißt Wat.
+ Der Herzog heißt Osrik oder Wat.
- Der Herzog heißt König Osrik.
- Der Herzog heißt Osrik, und Wat ist sein Narr.
+ „Der Herzog ist tot.“ Merk dir meine Worte.
+ Ich sage dir: „Der Herzog ist tot.“
- Wat sagte: „Der Herzog ist tot.“
+ Ihr wisst, dass der Herzog nicht lebt.
+ Weil der Herzog Wat heißt, lachen wir.
+ Dass der Herzog Wat heißt, steht fest.
+ Ihr wisst, dass der Mond nicht weiß ist.
+ Ihr wisst, dass der alte Herzog einen Narren hat, weil der Mond nicht weiß ist.
- Dass der Mond nicht weiß ist, steht nicht fest.
- Dass der Herzog Wat heißt, steht nicht fest.
- Ich kann nicht bestätigen, dass der Mond nicht weiß ist.
- Ihr wisst, dass der Herzog Osrik heißt.
- Weil der Herzog lebt, lachen wir nicht.
- Wat sagt, dass der Mond nicht weiß ist.
- Wer weiß, ob der Mond nicht weiß ist.
- Ihr wisst, dass der Sohn des Herzogs nicht lebt.
- Es ist eine Lüge, dass der Herzog Wat heißt.
- Dass der Herzog Wat heißt, ist eine Lüge.
- Es ist gelogen, dass der Herzog Wat heißt.
- Es ist ein Märchen, dass der Herzog Wat heißt.
- Es ist falsch, dass der Herzog Wat heißt.
- Es ist Unsinn, dass der Herzog Wat heißt.
- Es stimmt nicht, dass der Herzog Wat heißt.
+ Es ist wahr, dass der Herzog Wat heißt.
+ Es stimmt, dass der Herzog Wat heißt.
@canon [(id: "bruecke", text: "Die Brücke ist nicht sicher")]
- Die Brücke ist nicht mehr sicher.
- Die Brücke ist längst nicht mehr sicher.
- Die Brücke ist gar nicht sicher.
- Die Brücke ist nicht sicher, gar nicht.
+ Die Brücke ist sicher.
+ Die Brücke ist wieder sicher.
+ Natürlich ist die Brücke sicher.
+ Heute ist die Brücke sicher.
+ Inzwischen ist die alte Brücke wieder sicher.
- Ist die Brücke sicher?
- Ist die Brücke sicher, gehe ich hinüber.
- Heute ist die Brücke nicht sicher.
- Eine andere Brücke ist sicher.
- Die anderen Brücken sind sicher.
- Bis die Brücke sicher ist, warten wir.
- Bevor die Brücke sicher ist, gehe ich nicht hinüber.
@canon [(id: "wache", text: "Die Wachen schlafen nicht"), (id: "lebt", text: "Der Herzog lebt")]
+ Nachts schlafen die Wachen.
+ Natürlich schlafen die Wachen.
- Natürlich schlafen die Wachen nicht.
- Nachts schlafen die Gäste, die Wachen wachen.
- Ich hörte, dass der Herzog tot ist und nicht lebt.
- Ein anderer Herzog lebt nicht mehr.
- Der Herzog lebt. Etwas stimmt nicht.
+ Was auch immer sie sagen, der Herzog lebt nicht.
+ Es ist kein Geheimnis, dass die Wachen schlafen.
@canon [(id: "mine", text: "Die Mine gehört Osrik", slot: (subject: ["die mine"], relation: "gehört", value: "Osrik"))]
+ Die Mine gehört nicht Osrik.
+ Die Mine gehört Wat.
+ Die Mine gehört Osrik nicht.
- Die Mine gehört Osrik.
- Ich habe gehört, dass die Mine Wat gehört.
- Ich habe gehört, die Mine gehört Wat.
- Wie ich gehört habe, gehört die Mine Wat.
- Hast du gehört, dass die Mine Wat gehört?
# Verbs at the end, predicates and values at the beginning.
@canon [(id: "könig", text: "Der König lebt", contradicted_by: ["könig ist tot"]), (id: "troll", text: "Odo tötete den Troll", contradicted_by: ["wat tötete den troll"]), (id: "tor", text: "Das Tor ist geschlossen", contradicted_by: ["tor ist offen"])]
+ Tot ist der König.
+ Der König – Friede seiner Asche – ist tot.
+ Der König, wie jeder weiß, ist tot.
+ Weil du fragst, ist der König tot.
+ Wat hat den Troll getötet.
+ Das Tor ist weit offen.
+ Offen ist das Tor.
- Tot ist der König der Ratten.
- Nicht tot ist der König.
- Wat hat den Troll nicht getötet.
- Hat Wat den Troll getötet?
- Im Lied vom Müller ist der König tot.
- Wat wird den Troll nicht töten.
- Wat wird den Troll töten.
- Wat hat den Troll töten wollen.
+ Wat hat den Troll getötet, muss ich sagen.
- In der alten Sage ist der König tot.
+ Leider ist das Tor weit offen.
@canon [(id: "schwert", text: "Das alte Schwert ist nicht zerbrochen"), (id: "licht", text: "Das gute Licht ist nicht an")]
+ Leider ist das alte Schwert zerbrochen.
+ Das alte Schwert ist zerbrochen.
+ Zerbrochen ist das alte Schwert.
@canon [(id: "bier", text: "Ein Bier kostet zwei Taler", slot: (subject: ["ein Bier", "das Bier"], relation: "kostet", value: "zwei Taler", exclusive: Any))]
+ Neun Taler kostet ein Bier.
+ Neun Taler kostet das Bier hier.
- Zwei Taler kostet ein Bier.
- Kostet ein Bier zwei Taler?
"##;

#[test]
fn g4_german_own_words_verdicts_and_forms() {
    check(GERMAN, Lexicon::german());
}
