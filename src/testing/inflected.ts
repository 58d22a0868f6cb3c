/** A sentence in a language, and the dictionary form of a word of it, which stands there in another form. */
export interface Inflected {
  language: string;
  sentence: string;
  /** The form in which the word stands in the sentence. */
  form: string;
  /** What somebody looks for. */
  sought: string;
}

const sentences: Readonly<Record<string, readonly [sentence: string, form: string, sought: string][]>> = {
  eng: [
    ["The auditors questioned every invoice that the dredging company had sent.", "auditors", "auditor"],
    ["Three ferries were cancelled because of the storm.", "cancelled", "cancel"],
  ],
  deu: [
    ["Die Häuser am Hafen wurden im Frühjahr abgerissen.", "Häuser", "Haus"],
    ["Der Stadtrat hat die Verträge mit der Reederei gekündigt.", "Verträge", "Vertrag"],
    ["Von den Beschlüssen erfuhr die Presse erst später.", "Beschlüssen", "Beschluss"],
    ["In den Gutachten fehlten die Namen der Prüferinnen.", "Prüferinnen", "Prüferin"],
  ],
  fra: [
    ["Les marchés publics ont été attribués sans concurrence.", "marchés", "marché"],
    ["La première réunion fut annulée par la préfète.", "annulée", "annuler"],
    ["Les nouvelles règles protègent les lanceurs d'alerte.", "règles", "règle"],
    ["Ils négociaient les prix avec les fournisseurs.", "fournisseurs", "fournisseur"],
  ],
  spa: [
    ["Las licitaciones fueron adjudicadas a la misma empresa.", "licitaciones", "licitación"],
    ["Los jueces archivaron la denuncia de los vecinos.", "jueces", "juez"],
    ["El alcalde firmó los contratos sin avisar al concejo.", "contratos", "contrato"],
    ["Las comisiones pagadas nunca aparecieron en las cuentas.", "comisiones", "comisión"],
  ],
  ita: [
    ["I contratti della società furono annullati dal tribunale.", "contratti", "contratto"],
    ["Le fatture erano state pagate due volte.", "fatture", "fattura"],
    ["Gli appalti passavano sempre per lo stesso ufficio.", "appalti", "appalto"],
  ],
  por: [
    ["As licitações foram canceladas pelo tribunal de contas.", "licitações", "licitação"],
    ["Os vereadores aprovaram o orçamento sem discussão.", "vereadores", "vereador"],
    ["As obras do porto custaram o dobro do previsto.", "obras", "obra"],
  ],
  nld: [
    ["De gemeente verkocht de huizen aan een onbekende stichting.", "huizen", "huis"],
    ["De brieven van de ambtenaren werden vernietigd.", "brieven", "brief"],
    ["Alle vergunningen werden op dezelfde dag verleend.", "vergunningen", "vergunning"],
  ],
  swe: [
    ["Kommunen sålde fastigheterna till ett okänt bolag.", "fastigheterna", "fastighet"],
    ["Fakturorna betalades aldrig av myndigheten.", "Fakturorna", "faktura"],
    ["Avtalen skrevs under på en söndag.", "Avtalen", "avtal"],
  ],
  dan: [
    ["Kommunen solgte bygningerne til et ukendt selskab.", "bygningerne", "bygning"],
    ["Aftalerne blev underskrevet om natten.", "Aftalerne", "aftale"],
  ],
  fin: [
    ["Kaupunki myi rakennukset tuntemattomalle yhtiölle.", "yhtiölle", "yhtiö"],
    ["Sopimuksista ei kerrottu valtuustolle mitään.", "valtuustolle", "valtuusto"],
    ["Laskuissa oli virheitä, joita kukaan ei huomannut.", "Laskuissa", "lasku"],
  ],
  rus: [
    ["Договоры с подрядчиком были подписаны без конкурса.", "Договоры", "договор"],
    ["В новой школе протекала крыша, и родители писали жалобы.", "новой", "новый"],
    ["Чиновники скрывали счета от проверяющих.", "счета", "счет"],
    ["О закупках больницы узнали журналисты.", "закупках", "закупка"],
  ],
  pol: [
    ["Urzędnicy ukryli umowy przed komisją.", "umowy", "umowa"],
    ["Dokumentów nikt nie sprawdził przed przetargiem.", "Dokumentów", "dokument"],
    ["Radni sprzedali działki w centrum miasta.", "działki", "działka"],
  ],
  ces: [["Smlouvy podepsal starosta bez souhlasu zastupitelstva.", "Smlouvy", "smlouva"]],
  hun: [["A szerződéseket titokban írták alá az önkormányzat emberei.", "szerződéseket", "szerződés"]],
  tur: [["Belediye sözleşmeleri gizlice imzaladı ve kimse itiraz etmedi.", "sözleşmeleri", "sözleşme"]],
  heb: [["החוזים נחתמו בלי ידיעת המועצה והעירייה שתקה.", "והעירייה", "עירייה"]],
  ara: [["وقعت البلدية العقود مع الشركة من دون علم المجلس.", "البلدية", "بلدية"]],
};

/** Sentences in seventeen languages, each with a word in another form than that of a dictionary. */
export const inflected: readonly Inflected[] = Object.entries(sentences).flatMap(([language, all]) =>
  all.map(([sentence, form, sought]) => ({ language, sentence, form, sought })),
);
