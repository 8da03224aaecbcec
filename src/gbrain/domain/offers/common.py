"""Words that mean something by themselves, though people, companies and projects bear them as names too.

Lists of our own, in folded form (`words.folded`), cut to what stands in everyday talk and work.
"""

from gbrain.domain.offers.words import bag
from gbrain.domain.text import STOP_WORDS

GIVEN = bag(
    """
    ace amber angel angeles art ash aurora aurore autumn bay bill blanca blue bob brook buck candy carol chance
    charity chase chip chuck claire clara clay cliff constance consuelo coral crystal daisy dale dash dawn dean
    dick dolores dot drew duke earl ernst esperanza eve faith fern flora forest frank gale gay gene ginger glen
    grace grant guy harmony harry heath heather holly hope hunter iris ivy jack jade jasmine jay jet jewel josh
    joy judge juste ken lance lane lark laurel liberty lily lucky luz mar marin marina mark mars mat max mel
    melody mercy merry miles misty nick noble norm ocean olive olivier opal otto pansy pat patience patsy paz
    pearl peg penny pepper pete pierce pierre pilar piper poppy porter prudence raven ray reed rich rick river
    rob robin rocky rod roman rosa rose rosemary rowan ruby rush rusty sage sandy savannah serenity shad skip
    sky sol sonny star sterling stew stone stormy sue sunny temple terry tiffany trinity trip tucker tuesday
    viola violet wade ward warren will willow winter wolf woody wren zeus август ангелин вер лев любовь март мир
    надежд роз роман свет слав ян
    """
)
"""Words that are given names besides."""

_SURNAMES = bag(
    """
    bach bacon baker ball banks barber barker bass bauer bean becker bell berg berry best bianchi bird bishop
    black blanc blanco blank block bloom blunt bond booth bowman branch brand braun bridges bright brown bueno
    bull burns bush butcher butler camp campos carpenter carter case cash castle cherry child church clerk coal
    coffee cole conti cook cooper cox crane cross cruz curry day dean diamond dove downs drake draper driver
    east english farmer fellows ferrari field fields finch fine fish fisher fleet flood flores flowers foot ford
    foreman foster fox freeman french friend frost fuchs gallo gamble gardener gates german glass glover gold
    golden good goodman gore grand graves gray greco green grey gross hahn hall hammer hand hardy hart hawk head
    heard herbst hill hood horn house howl hull hunt irons justice kaiser key king klein knight konig kurz lamb
    land lang large law leach leal lebon leone leroy light little lock long lord love low major manning march
    marino marks marsh marshall mason masters may mayer meadows means meister miller mills mint money moody moon
    moore moreno moss mountain mule muller nail neri nice noir noon north nurse nut oak ogle outlaw pace page
    paine palmer park parker parks parrot parsons payne peace pease petit pitt plant pond pool poor pope post
    potter pound powder power powers prater price prime prince proctor pryor purple quick race rain ransom read
    reader red reyes rice rich richter rico rider rios rivers roads rock roi root roper rossi rot roux royal
    rubio runner sadler salmon salt sanders savage sawyer schwarz sellers senior shade sharp shell shepherd
    shields shoemaker short silver singer singleton sleeper small smart smith snow sommer south spear spice
    spring springs spur stack stark steel stein stern stock stout street strong summer summers swan sweet swift
    tanner taylor teller thatcher thorn tiller tower towers town trainer travel tree troll turner tyler
    underwood vane vest vice vogel wait walker wall walls waters watts weaver webb weiss welcome wells west
    wheat wheeler white wild wilder winner wise wish wolfe wood woods works worth wright yard yates young белы
    волк заяц зим лет медвед мороз снег черны
    abend adler baum blum brandt busch dorn eisen engel erde feld frei freitag furst garten gast gold graf gross
    gut haas hafen haus heim herz himmel hirsch hof holz hut jager jahn kern kohl kopf korn kraft kranz kreuz
    kunz lange licht linde lang mai markt meer mond morgen nagel nacht neumann pfeiffer pfeil rad rose sand sauer
    scharf schatz schaum schild schmidt schnell schuster silber sonntag stahl stein stern stark stumm sturm tag
    teich teufel traum vogt wald wahl weise weiss winkel wind winter wolf wunder zahn ziegler zimmer
    bois boucher boulanger charpentier chevalier fontaine forestier gros joly legrand marchand mercier meunier
    moulin pain petit porte rey riviere roche rossignol tissier vallee verdier
    bravo caballero cabello calvo casas castillo cuesta delgado duro franco fuentes guerra herrero hierro iglesias
    leon luna mayor mesa molina montes pastor paz pino plaza prado prieto ramos rey rio rojo rubio santos sol
    soto torres valle vega
    amato barbieri basso bruno caruso costa ferri fontana forte giordano grasso grande longo lombardi monti
    palma piazza riva rizzo sala serra testa vento villa
    bishop blaze bliss brush bump chin coy dial drum dune fay fence flint fog fry gill glee gold hook ivory
    jolly keen lane lark link locke mace march marsh mist moat nest noble peck pike pitch quill rush sage
    sloan song spark spring sun swift tan tang tong torch trench vale wing wisdom
    """
)

_THINGS = bag(
    """
    adobe airtable alpha alphabet amazon anchor apple arc archive arrow asana atlas aurora axis azure badger
    beacon bear beaver beta blend bloom board bolt boost bosch box brave bread bridge bubble buffer build cedar
    chain challenge chrome circle clear click cloud coda color comet compass confluent copper core craft crisp
    cruise curve delta descript discord dove drift dropbox eagle echo edge elastic element ember engine envoy
    epic evergreen expedia explorer face falcon feather figure fire flash flex flow fly focus forge forward
    foundation framer front frontier fusion future galaxy gamma gap gateway gather gem general ghost giant glide
    globe go gong gusto harbor harvest haven hawk heap heart heron hive home honey horizon hub icon impact
    indigo insight instant intercom island jaguar java jet jolt journey julia kayak kite lantern lattice launch
    leaf legacy lemon lens level lever lift lighthouse lime linear link lion loom loop lotus lyft magic magnet
    mango map maple match matter maven meadow mercury mesa meta metro mint mirror mission mode moment monday
    mono monster motion mural nebula neon nest network nike nimbus node north notion nova oasis object office
    omega onyx opera option oracle orange orbit order origin orion otter outreach owl oxygen panda panther paper
    path patron peak pebble phoenix pilot pine pioneer pipe pixel plaid plane planet planner platform point
    polar polygon portal postman prism profile progress project proof pulse puma python quest quill radar rail
    railway rally ramp reach ready reason reflect relay render replay retool reverse ridge ring ripple rise
    robin rocket roku router rust safari sail scale scope scout seed segment sense sentry shield shift shop
    signal silk slack slate slice snap snowflake socket solar sonic source spark sparrow spectrum spiral splash
    split spot spotify sprout square squid stage stellar step storm stream stripe studio subway summit sun super
    surge swallow switch sync tandem target tempo tesla thread thrive tide tiger tinder titan toast token torch
    total trace track transfer trello trident tunnel twist uber union unit unity upwork vale valley vault vector
    vega venture verge vertex vine visa vision vista volt wave wealth web wing wire wonder word workday wrap
    zebra zen zenith zero zone zoom
    albatross almond alpaca amethyst antelope ash aspen basalt beech beige birch bison bronze buffalo cactus camel
    caribou cayenne cedar chameleon cheetah cherry chestnut chili cinnamon citrine clover cobalt cobra condor coral
    cougar coyote crane cricket crimson crow cyan cypress dolphin donkey dragon dragonfly elk emerald ferret
    finch firefly flamingo fuchsia garnet gazelle gecko ginger giraffe granite grape hazel hedgehog heron hippo
    hornet hyena ibis iguana indigo iron ivory jackal jaguar jasper juniper kangaroo kiwi koala krypton lavender
    leopard lichen lilac lizard llama lobster lynx magenta magnolia magpie mahogany mammoth manta mantis maroon marble
    marlin meteor mockingbird mongoose moose mosquito nectar neptune nickel nutmeg obsidian octopus olive onyx orchid
    oriole osprey ostrich otter oyster pangolin papaya paprika parsley peacock pelican penguin peony pepper petunia
    pheasant pistachio platinum platypus pluto porcupine primrose puffin pumpkin quail quartz raccoon raspberry
    rhino rosemary saffron salamander salmon sapphire scarlet scorpion seal sepia shark shrimp sparrow sphinx spruce
    squirrel starfish stork sunflower swan tangerine teal titanium topaz tortoise toucan trout tulip tuna tungsten
    turquoise turtle urchin vanilla violet viper vulture walnut walrus wasp weasel whale willow wolf wombat yak zinc
    """
)

_TALK = bag(
    """
    able above access account across act action add address after afternoon again against age agenda agent ago
    agree agreement ahead air alert allow almost alone along already although always am among amount analysis
    announcement annual another answer anything apologise apologize app approach approval approve are area
    around ask asked assign assist assume attach attention audit august automatic available average avoid away
    back backlog backup bad balance bank bar base based basic batch bcc because become bed before begin behind
    being believe below beside better between big bit board body bonus book border both bottom boy brief bring
    broken browser budget bug business button buy calendar call called can cancel candidate car card care carry
    catch cause cc center central certain change channel chapter charge chart cheap check choice choose churn
    cite city class clean clear client close code cold collect column come command comment commit common company
    compare complete computer concept concerning condition config confirm congrats congratulate connect consider
    contact contain content contract control convert convince copy correct cost could count country couple
    course court cover create critical customer cut daily data database date deadline deal dear debrief debug
    decide decision deep default define delay delete deliver demo deploy deployment describe description design
    desk detail develop device did diff different difficult digest direct direction director discuss discussion
    display dm doc docs document does dog done door double doubt down draft draw dream drink drive drop dry due
    during duty each early easy eat edit effect either else email employee empty end engineer engineering enough
    ensure enter entry equal error escalate especially estimate evening event ever every everyone everything
    exact example except expect expense explain export extra eye fact fail failure fair fall family far fast
    father favorite feature fee feedback feel fetch few file fill film final finance find finish first fit fix
    fixed floor folder follow followup food force forget form format forward found free fresh friday full fun
    function funding further game garden gave general get girl give glad goal goes going gone got grab great
    group grow growth guess guide habit half happen happy hard has hate hear heat heavy hello help here hey hi
    high him hire hiring history hit hold hole holiday hot hotel hour how however huge human idea image import
    important improve inbox include increase index inform information initial input inside install instead
    interest internal interview invest investor invite invoice is issue item job join journal july june just
    keep kickoff kind kitchen know label lady language laptop last late later latest laugh lead leader learn
    least leave left legal less let letter library life like limit line list listen live load local log login
    look loop lose loss lost lot lower lucky lunch machine mail main make man manage manager many march market
    marketing mass match material matter maybe mean meaning measure meet meeting member memo memory mention menu
    merge message met method metric middle might migration mile milk million mind minute miss missing mistake
    mix model modern module moment monday month monthly more morning most mother mouth move movie much music
    must name nature near necessary need negative network never new news next night no nobody none nor normal
    not note notes nothing notice notify november now nudge number object october offer office offsite often oil
    ok okay old onboard onboarding once one only open operation opinion option order other otherwise out outcome
    output outside over overall overview own owner pack package pain paint pair paper part partner party pass
    password past patch pattern pay payment people per percent perfect perhaps period person persuade phone
    photo pick picture piece ping pipeline place plan planning plans play please plus pocket poke policy
    positive possible power practice prefer prepare present press pretty prevent previous pricing print private
    probably problem process produce product production profile profit program progress promise proper proposal
    prove public pull purchase purpose push put quality quarter quarterly query question queue quiet quite quote
    random range rate rather raw real really reason receive recent recipe record recover refactor reference
    refund regarding region regular relate release remember remind reminder remote remove rename renewal repeat
    reply report repository request reschedule research reset resource response rest result retro retrospective
    return revenue review rewrite ride right risk road roadmap role room round route row rule run safe salary
    sale sales same sample save saved say schedule school science score screen script sea search season seat
    second secret section secure see seem select self sell send sent sentence separate september series serious
    server service session set setting settings several shall share shell ship shipping shop should show side
    sign signal simple since single sister sit site size skill sleep slide slow smell smile smooth so social
    soft software solution some somebody someone something sometimes son song soon sorry sort sound space speak
    special specific speed spend split sport sprint staff stage stand standard standup start state statement
    status stay step still stop storage store story strange strategy structure student study stuff style subject
    submit success such sudden suggest suite sum summarise summarize sunday support sure surprise survey sync
    system table take talk task team tech tell ten tend term test testing text thank thanks theme thing things
    think third though thought thousand through ticket tie till time timeline tiny tip tired title today todo
    together tomorrow tonight tool top topic total touch toward track trade train training transfer translate
    trash tree trial trigger true trust try turn twice two type under understand unique unless until up update
    upgrade upload upon us use used useful user usual valid value various version very video view visit voice
    vote wait wake want warm warn warning was wash watch water way we weather website wednesday week weekend
    weekly weight well went were whatever wheel when where whether while whole whose wide wife win window wine
    wish within without woman wonder word work worker workshop world worry worse worst would write wrong yeah
    year yes yesterday yet zero
    """
)

_ELSEWHERE = bag(
    """
    aber amanha appelle auch aus aux avec ayer bei bitte che chiedi ciao com como con cuando danke dann dans
    dein della demain demande des dile dis domani donde du elle envoie est esta este euch frag frage fragen
    gestern gracias habe haben habla hable hat heute hier hoje hola hoy ich ieri ihr ils kannst konnen las les
    llama los manana manda mein merci mon morgen muy nach nao noch non nos nous oder oggi ontem para pas per
    pergunte pero peux por porque pour pregunta que qui quoi rappelle reunion ruf sag schick schon schreib
    scrivi sein sie son sono sur termin ton uber uma una une uno uns unter voce vor vous wenn wir wird wurde
    zwischen bel kysy laheta soita kerdezd kuldd ird mondd napisz powiedz wyslij zadzwon zapytaj zeptej napis
    sende stuur vraag zeg schrijf skicka skriv ringe sporg fraga saga intreaba trimite scrie pita poslji vprasaj
    kuula saada klausk parasyk ο η τον την στον στην γραψ ρωτ στειλ πεσ τησ του των και με για απ
    ваш встреч вчер вы где для если завтра или как когда компан кто мне можно мы над надо напиш наш
    нужн он она они письм под позвон при проект пусть сегодня скаж спрос теб что это я
    """
)

_PLAIN = _THINGS | _SURNAMES
_COMMON = frozenset(STOP_WORDS | _TALK | GIVEN | _ELSEWHERE)

CALENDAR = bag(
    """
    april august autumn christmas december easter february friday january july june march may monday november
    october saturday september spring summer sunday thursday tuesday wednesday winter
    """
)

AUXILIARY = bag("will may can could would should might must shall did does do has have is are was were")

ORGANISED = bag(
    """
    act airport algorithm allee arena bay building campus castle cathedral chapel clinic dam factory gallery garden
    gardens gate hall harbor harbour hill hills house inn junction laboratory mall manor mansion memorial mill mine
    museum palace pier plaza port prison ranch ridge room rooms school shore stadium studios tower theatre theater
    trail tunnel wing woods yard zoo
 associates avenue award bank beach boulevard bridge brothers center centre
    church club college constant county court creek cup disease drive effect falls foundation group heights
    holdings hospital hotel institute island lake lane law lemma library marathon method mountain museum number
    park partners platz press principle prize records river road scale school schule society sons springs square
    stadium station stiftung strasse straße street syndrome terrace theorem trophy universitat university valley
    village
    """
)
"""What behind a name makes it the name of something else."""

EPONYMOUS = bag(
    """
    algorithm axiom cipher coefficient conjecture constant curvature curve diagram disease distance distribution effect
    equation filter flow manifold polynomial similarity tensor topology
    formula hypothesis identity inequality integral kernel law lemma manoeuvre maneuver method metric model notation
    number paradox postulate principle process proof scale sequence series syndrome theorem theory transform
    algorithmus gesetz konstante satz verfahren algorithme constante loi methode theoreme algoritmo ley teorema
    """
)
"""What behind a name, or behind what is its, makes it that of somebody in a book."""

OF_PLACES = bag(
    "airport area bay beach beer beers bridge cheese city climate coast coffee county district flight flights harbor"
    " harbour island lake mountain mountains province region river skyline station street suburb timezone town trip"
    " valley village vineyard weather wine wines winery"
)
"""What places have and families do not."""

MOVING = bag(
    "arrive bus drive driving drove ferry flew flight flights fly flying go going gone move moved moving relocate"
    " relocated ride road ship shipped ticket tickets train travel travelled traveled travelling trip went"
)
"""What stands before `to` and a place."""

STATES = bag(
    "asking away back busy coming free going home ill late ok okay ooo out sick travelling traveling unavailable"
    " unhappy upset waiting working worried"
)
"""What somebody is, and a thing or a number is hardly."""

ON = bag("call duty holiday leave parental pto sabbatical shift vacation")
"""What somebody is on."""

IRREGULAR = bag(
    "broke brought built caught chose cut did drew drove fell forgot found gave got hit kept lost made paid put ran saw"
    " set spent stood took taught threw understood won"
)
"""Verbs of the past that do not end in `-ed`."""

PRESENT = bag("brings comes finds gets gives goes insists keeps makes needs puts takes tries understands")
"""What somebody does at present; no words that are things in the plural, too."""

MODAL = bag("can cannot could may might must should will won would")

BEGINNING = bag(
    "ace bill bob buck chance chip chuck dash dick dot drew duke frank gay gene grant hope jack jet josh ken lance"
    " lucky mark max may merry misty nick noble norm pace pat peg pierce reed rich rob rock rocky rod rush rusty skip"
    " sky sol stew sue sunny tie trip tuck wade ward will woody chase"
)
"""Given names that may begin a sentence as another word does: what is to be done, how something is, how much."""

OBJECTS = bag(
    "a all an another any both each every everything for her him his it its me my no nothing our out several some"
    " something that the their them these this those to two up us with your"
)
"""What stands behind a verb that somebody does something with."""

INTO = bag(
    "add believe bring call cc confidence copy dial faith fill get interest interested invest let loop patch pull put"
    " rope trust"
)
"""What stands before `in` and somebody."""

EDITING = bag(
    "cast convert deprecate escape grep hash increment lowercase normalise normalize parse quote rename replace sort"
    " typedef uppercase"
)
"""What is done to a thing in a program and to nobody."""

ROLES = bag(
    """
    anwalt anwaltin arzt arztin chef chefin freund freundin kollege kollegen kollegin kunde kunden kundin mandant
    mandantin mieter mieterin nachbar nachbarin partnerin praktikant vermieter
    avocat avocate client cliente collegue collegues patron patronne voisin voisine
    abogado abogada amigo amiga colega companero jefe jefa socio socia vecino
    amica avvocato capo collega socio chefe advogado vriend  klant baas
    """
    """
    accountant adviser advisor analyst architect assistant attorney aunt boss brother ceo cfo chair chairman
    chairwoman chief cio client cmo coach cofounder colleague company consultant contact coo counsel cousin cpo
    cto customer dentist designer developer director doctor editor electrician engineer evp father firm founder
    friend head husband intern investor landlord lawyer lead manager mentor mother my neighbor neighbour nurse
    our owner partner plumber president professor recruiter secretary sister startup supplier svp teacher tenant
    therapist treasurer uncle vendor vp wife
    """
)
"""What people and companies are to somebody."""

SPEAKING = bag(
    """
    accepted acquired agreed already also announced apologised apologized approved asked asks believes bought
    called calls canceled cancelled complained confirmed declined didn doesn emailed finally founded handles
    hasn hates hired insisted introduced invited isn joined just knows launched leads left likes lives loves
    manages mentioned messaged met moved never offered owns pinged pitched prefers presented promised proposed
    pushed quit raised rejected released replied reported resigned runs said says sent shared shipped signed
    sold started suggested tells texted thinks thought told visited wanted wants wasn worked works writes wrote
    """
)
"""What somebody does and a thing or month does not."""

TOWARDS = bag(
    """
    about and ask asked aunt brief by call called cc consult contact dear email emailed for from hello hey hi
    hire hired inform interview introduce invite invited meet message met mr mrs ms notify nudge phone ping
    pinged remind see tell text texted thank thanked to told uncle via visit warn with
    """
)
"""What stands before somebody and not before a month."""


def common(key: str) -> bool:
    """Whether a word is one of any talk, or one of those that are given names besides; also in a plural or a past."""
    return key in _COMMON or (key.isascii() and any(form in _COMMON for form in _forms(key)))


def plain(key: str) -> bool:
    """Whether a word means something by itself: a common one, or one that companies and families are called by."""
    return key in _PLAIN or common(key) or (key.isascii() and any(form in _PLAIN for form in _forms(key)))


def _forms(key: str) -> tuple[str, ...]:
    """What a word may be a form of, by its ending."""
    if len(key) < 5:
        return (key[:-1],) if len(key) == 4 and key[-1] == "s" else ()
    if key.endswith("ing"):
        return key[:-3], key[:-3] + "e", key[:-4]
    if key.endswith("ed"):
        return key[:-2], key[:-1], key[:-3]
    if key.endswith("s"):
        return (key[:-1], key[:-2]) if key[-2] == "e" and key[-3] in "sxzh" else (key[:-1],)
    return ()
