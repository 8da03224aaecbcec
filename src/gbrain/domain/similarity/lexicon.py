"""English wording for the comparison of claims: tables, no logic.

Entries are `meaning: word word` and `meaning: phrase | phrase`, divided by line ends or semicolons. Words stand in
their base form. A meaning may be several words (`not like: dislike`); the meaning `_` is filler. Two words share a
meaning only where exchanging them never makes another claim: a near miss costs a duplicate row, a wrong merge costs
a fact. `<x` is a link, which ties the next word to the claim. Links of one capital letter (L in, O on, P of, T to,
F for, W with, A as) may be left out in some wordings, the others never.
"""


def listed(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


WORDS = """
like: enjoy fancy; love: adore; hate: detest loathe despise; not like: dislike; prefer: favor
favorite: preferred favourite fave; think: believe reckon; buy: purchase; need: require
start: begin commence; stop: cease quit; end: expire finish complete conclude; leave: depart
help: assist aid; ask: request; tell: inform notify; use: utilize; fix: repair mend rectify
choose: pick select; get: receive obtain; remove: delete erase; live: reside dwell based inhabit headquarter
be: locate situate; work: job; change: alter modify switch replace swap become
move: relocate reschedule migrate; postpone: delay defer slip; increase: raise rise climb grow
decrease: reduce lower drop; decline: refuse reject; lead: head leader oversee supervise
manager: boss supervisor; handle: responsible; make: create produce build; teach: instruct
gather: collect assemble; wed: marry; child: kid children; man: men; woman: women; foot: feet; tooth: teeth
mouse: mice; wife: wives; knife: knives; shelf: shelves; wolf: wolves; half: halves; loaf: loaves
thief: thieves; scarf: scarves; calf: calves; goose: geese; ox: oxen; criterion: criteria
phenomenon: phenomena; index: indices indexes; analysis: analyses; crisis: crises; thesis: theses
cactus: cacti; people: persons; roof: rooves; hoof: hooves; louse: lice; matrix: matrices
appendix: appendices; medium: media; mother: mom mum mummy mommy; father: dad daddy
grandma: grandmother granny; grandpa: grandfather granddad; apartment: flat; couch: sofa; autumn: fall
holiday: vacation; movie: film; bicycle: bike; car: automobile; phone: telephone; mobile: cell cellphone
photo: picture photograph; document: doc; doctor: physician dr; lawyer: attorney solicitor
colleague: coworker; company: firm; shop: store; elevator: lift; truck: lorry; trash: garbage rubbish
big: large; quick: fast rapid; important: crucial; sick: ill unwell; afraid: scared frightened
often: frequently regularly; usually: normally typically generally; sometimes: occasionally; rarely: seldom
maybe: perhaps possibly; probably: likely; nearly: almost
about: approximately roughly around circa approx regarding concerning; exactly: precisely; every: each
should: ought; will: shall; may: might; plan: intend; want: wish; promise: pledge vow; speak: talk
answer: reply respond; center: centre; appointment: appt; street: st; road: rd; avenue: ave
department: dept; percent: pct percentage %; usd: dollar $; eur: euro €; gbp: £; jpy: yen ¥
cny: yuan rmb renminbi; metre: meter; litre: liter; mg: milligram; gram: gramme; kg: kilogram kilo
km: kilometre kilometer; cm: centimetre centimeter; mm: millimetre millimeter; gb: gigabyte; mb: megabyte
tb: terabyte; lb: pound; user: i me mine myself; <P user: my; we: us ours ourselves; <P we: our
you: yours yourself; <P you: your; database: db; repository: repo; configuration: config; application: app
specification: spec; information: info; postgres: postgresql; kubernetes: k8s; anyone: anybody
someone: somebody; everyone: everybody; nobody: noone; gray: grey; theater: theatre; tire: tyre
yogurt: yoghurt; pyjamas: pajamas; jewelry: jewellery; airplane: aeroplane plane; plow: plough
coriander: cilantro; aubergine: eggplant; courgette: zucchini; petrol: gasoline; catalog: catalogue
program: programme; license: licence; defense: defence; offense: offence; practice: practise
mustache: moustache; jeweler: jeweller; fulfill: fulfil; curb: kerb; enrollment: enrolment; mold: mould
cozy: cosy; judgment: judgement; omelet: omelette; donut: doughnut; aluminum: aluminium; skillful: skilful
maneuver: manoeuvre; pediatric: paediatric; check: cheque; skeptical: sceptical
now: currently presently nowadays; also: additionally too; max: maximum; min: minimum; vegetable: veggie
lab: laboratory; exam: examination; ad: advert advertisement; gym: gymnasium; fridge: refrigerator
salary: wage; error: mistake; broken: busted; quiet: silent; clever: smart; angry: mad; happy: glad
hard: difficult; easy: simple; degree: °; c: celsius centigrade; f: fahrenheit; rich: wealthy
huge: enormous gigantic; tiny: minuscule; whole: entire; enough: sufficient; final: ultimate
yearly: annual annually; nephew: nephews; housemate: flatmate roommate; neighbor: neighbour; cancel: scrap
hire: recruit; fire: dismiss; lend: loan; throw: toss; forbid: prohibit ban; allow: permit; explain: clarify
discuss: debate; mention: remark; hide: conceal; show: display; climb: ascend; close: shut; occur: happen
attempt: try; journey: trip; birthday: birthdate; own: possess; pancake: flapjack; soccer: footy
tap: faucet; trousers: slacks; torch: flashlight; nappy: diaper; pavement: sidewalk
not available: unavailable; not possible: impossible; not necessary: unnecessary; not safe: unsafe
not complete: incomplete; not paid: unpaid; not clear: unclear; not correct: incorrect; alone: solo
daily: everyday; not: n't
_: really very quite actually basically indeed definitely certainly please already still kindly btw fyi
_: obviously strongly absolutely truly a an the that do inc ltd llc gmbh corp per o'clock oclock honestly
_: frankly simply luckily fortunately sadly unfortunately interestingly incidentally clearly naturally
_: surprisingly admittedly
"""

# Common slips of the pen, for words that mean something to the tables or are too short to be guessed.
TYPOS = """
receive:recieve receive:recive their:thier the:teh with:wiht that:taht and:adn because:becuase friend:freind
which:wich until:untill address:adress tomorrow:tommorow tomorrow:tommorrow tomorrow:tomorow
wednesday:wensday wednesday:wendesday february:febuary believe:beleive bicycle:bycicle separate:seperate
definitely:definately definitely:definitly weird:wierd tuesday:tuseday usually:usualy usually:ususally
really:realy always:allways birthday:birtday meeting:meetting schedule:shedule january:janurary
daughter:daugther husband:husbend height:heigth weight:wieght favourite:favorit colleague:collegue
colleague:colleauge saturday:saterday neighbour:nieghbour apartment:appartment password:pasword
vegetarian:vegeterian allergic:alergic preferred:prefered prefers:preferrs deadline:deadlin morning:mornign
evening:evning thursday:thursady every:evrey before:befroe after:aftre
"""

# A base form and its past forms; a past form that is also a base form is left out.
IRREGULAR = """
go went gone|have had|make made|take took taken|give gave given|get got gotten|buy bought|sell sold|send sent
write wrote written|drive drove driven|speak spoke spoken|teach taught|think thought|know knew known|see saw seen
come came|become became|begin began begun|leave left|meet met|pay paid|say said|tell told|find found|lose lost
win won|hold held|keep kept|bring brought|build built|break broke broken|choose chose chosen|fly flew flown
grow grew grown|eat ate eaten|drink drank drunk|run ran|sit sat|stand stood|sleep slept|feel felt|hear heard
catch caught|throw threw thrown|draw drew drawn|wear wore worn|swim swam swum|sing sang sung|rise rose risen
forget forgot forgotten|lend lent|spend spent|lay laid|light lit|ride rode ridden|steal stole stolen
wake woke woken|bite bit bitten|blow blew blown|freeze froze frozen|hide hid hidden|deal dealt|fight fought
feed fed|lead led|mean meant|seek sought|shoot shot|show shown|shake shook shaken|strike struck|swear swore sworn
tear tore torn|establish founded|beat beaten|withdraw withdrew withdrawn|be was were been|do did done|shrink shrank
shrunk
"""
INVARIANT = listed("cut put read set let hit shut hurt split spread quit cast")

# Words in -ise that are spelt so everywhere.
ISE = listed(
    "promise premise compromise surprise enterprise sunrise advise revise supervise devise improvise "
    "exercise precise concise franchise disguise merchandise paradise expertise advertise otherwise "
    "likewise praise practise treatise demise televise"
)

# Ordinary words that open sentences: a capital letter there makes no name of them.
COMMON = """
neither either both none many few some all most no never always only even although however nothing nobody
there here this that these those what who where why how can could would must let send keep call write read
take give put set turn lock open close clean wash feed water watch check test run build deploy ship merge
commit push pull review sign pay order book reserve rent renew return print scan copy move store save load
start stop avoid try pick bring carry wear eat drink cook bake serve sleep wake walk cycle swim sing dance
paint draw plant cut dig grow learn study train coach help visit meet greet invite host plan vote join leave
enter exit travel fly ride park ticket invoice backup user client server team office room door key car dog
cat kid child lunch dinner breakfast flight bus laptop printer guest visitor employee worker customer member
student teacher patient parent tenant neighbor driver rider player singer baker house garden kitchen
bathroom bedroom attic cellar basement garage shed roof wall window floor table chair desk shelf drawer box
bag bottle cup plate bowl knife fork spoon towel bed lamp light bulb battery cable charger adapter screen
keyboard mouse camera phone number code password file folder document report letter parcel package delivery
mail message note list form contract permit licence passport visa card badge account bank loan budget price
cost fee fine tax salary bonus discount refund payment bill receipt meeting interview talk lecture lesson
class course exam workshop conference concert show film movie story poem song album band choir orchestra
museum library school college hospital clinic pharmacy bakery cafe restaurant hotel hostel shop market mall
bridge road street path trail river lake sea beach island hill forest field farm barn fence gate tree bush
flower leaf seed fruit apple pear plum cherry berry bread cheese butter milk egg meat fish rice soup salad
cake pie tea coffee wine beer juice salt sugar pepper oil flour yeast medicine pill tablet dose vaccine
doctor nurse dentist vet lawyer plumber painter gardener cleaner pilot captain sailor boat ferry tram bike
bicycle truck van engine brake tyre wheel petrol database query script job pipeline branch release version
patch bug issue feature design logo font theme page site website app service queue cache log alert dashboard
metric chart map route station airport platform seat schedule deadline shift holiday weekend birthday
wedding party festival game match race league score goal medal shoe boot coat jacket shirt dress hat glove
sock scarf ring glass helmet mask umbrella blanket pillow curtain carpet hedgehog bird hen duck goose horse
cow sheep goat pig rabbit hamster parrot bee spider donor volunteer intern resident snow rain wind storm
heat heating power noise smoke fire pet
"""

# Words that are not what their ending suggests.
FIXED = """
always news lens canvas christmas texas kansas mathematics physics economics politics series species bus gas
plus this its his hers yes as us whereas perhaps besides sometimes during evening morning wedding king
spring string thing nothing something everything anything bring sing wing ceiling ring red bed need speed
feed seed weed hundred shed embed naked sacred early family daily weekly monthly yearly quarterly hourly
nightly biweekly july italy reply apply supply fly ally rally belly hardly only lately friendly elderly
assembly butterfly jelly training housing pricing clothing painting hearing recording landing outing pudding
setting building meeting parking onboarding campus virus bonus focus census versus status tennis analysis
basis crisis axis oasis thesis iris pelvis cannabis chassis debris glasses headphones scissors trousers
jeans shorts overseas wireless unless interested interesting retired unmarried engaged divorced closed
allied right united advanced
"""

PHRASES = """
prefer: would rather | prefer drink | prefer eat
<over: instead of | rather than | as opposed to | more than | greater than | in excess of
hate: can not stand | can not bear | can not abide
like: be fond of | be a fan of | be keen on | like to | like drink | like eat
live <L: home be in | home be at | have home in | make home in
work <L: be employ by | be employ at | be employ in | work for | have a work at; work <A: be employ as
be <A: work as | serve as
handle: be in charge of | take care of | handle for | be handle for | be in charge for | look after
use: make use of; must: have to | need to | got to | be require to | be oblige to | be mandatory to
can: be able to | be capable of | know how to; can not: be unable to | not know how to
have: have get | suffer from; nobody: no one; oppose: be against; support: be in favor of; will: be going to
want: would like to | would like | would love to | want to; cancel: call off
postpone: push back | put off | push out; advance: bring forward | move up | pull forward
decline: turn down; increase: go up | bump up; decrease: go down | bring down
approve: sign off on | sign off; stop: give up; answer: get back to; wake: get up | wake up
sleep: go to bed; meet: get together with | have meeting with | meet up with | meet with
daily: every day | once day; weekly: every week | once week; monthly: every month | once month
yearly: every year | once year; quarterly: every quarter; be <from: come from
hourly: every hour | once hour; nightly: every night
biweekly: every 2 week | every other week | every 2nd week | fortnightly
work remote: work from home | work remotely; about: more or less; <under: less than | fewer than
atleast: at least | no less than | not less than | a min of | min of | no fewer than
atmost: at most | no more than | not more than | up to | a max of | max of
<by: no later than | not later than; never: not ever
nolonger: no longer | not any more | not anymore | no more | not any longer; anymore: any more | any longer
<because: because of | due to | owing to | on account of | thanks to; <despite: in spite of
<before: prior to | ahead of; <if: provided that | as long as
many: a lot of | lots of | plenty of | a number of; several: couple of | a few; think: be of opinion
birthday: date of birth | birth date; birthday be <O: be born on
deadline: due date | cutoff date | cut off date; phone: phone number | contact number
mobile phone: mobile number | cell phone number | mobile phone number
phone be: can be reach at | can be reach on | be reachable at | be reachable on
email: email address | mail address | e mail address | e mail; wed <T: be wed to | get wed to
named: be called | be named | go by name | have name | be known as | go by | be call
allergic <T: be allergic to | have allergy to | suffer from allergy to
afraid <P: be afraid of | have fear of | fear
be: take place | be held | be scheduled | happen | be set | be planned
be <O: be set for | be scheduled for | be planned for; cause: result in | bring about
own: be owner of | be the owner of; speak fluent: be fluent in; alone: by self | on own; wifi: wi fi
standup: stand up; kickoff: kick off; checkin: check in; followup: follow up; oncall: on call
<W: together with | along with | accompany by; <after: subsequent to; both: both of; all: all of
some: some of; most: most of; every: every single; out-of-office: out of office; view: in mind
because: as a result of; on-leave: on leave; <about: with regard to | with respect to
now: right now | at present | these day | as of now | from now on | as of today | by now | at moment
now: as of late; also: as well | in addition
_: for record | by way | for your information | of course | as well | at latest | as you know
_: just so you know | in fact | in other word | it go without say | it turn out | turn out
_: as matter of fact | note | remember | keep in mind | not forget | to be clear | to be honest
"""
# A clause of these words alone says nothing of its own (`One more thing to note:`, `As I said before,`).
META = listed(
    "note noting notes noted remember reminder remind mention mentioning mentioned add know knowing known "
    "fyi btw way by the a an for your our my record reference information info context as is was it its "
    "it's i we you me us just so also well oh ok okay hey hi and but be to of in fact actually one more "
    "small quick side thing things point correction update clarify clarification clear honest honestly "
    "worth should let let's want wanted learned learnt found discovered out turns turned happens keep "
    "mind forget please heads up heads-up important importantly good noteworthy said earlier before "
    "previously above ever always usual expected again quickly confirm recap sum summary brief short "
    "general case anyone asks wondering interested fun tip nb ps memo self future later use what goes go "
    "saying needless say all at end day here's here there that this must can could might will would have "
    "had been up right yes sure anyway look listen attention hint notice observation noticed realised "
    "realized thought they details detail forgot might've briefly incidentally interestingly notably "
    "however to-do addendum still then next question answer correction: i'd i've i'm we've you'll you've "
    "matter truth told simply put basically essentially ultimately overall frankly aware true stands rule "
    "interesting recall friendly tell understand understood make bear missed curious saw ahead read far "
    "say saying meant already adding something long story came"
)
# One of these must be among them.
SAYING = listed(
    "note noting notes noted remember reminder remind mention mentioning mentioned know knowing known fyi btw "
    "way record reference information info context fact thing things point correction update clarify "
    "clarification clear honest honestly worth learned learnt found discovered turns turned mind forget "
    "forgot heads heads-up important importantly noteworthy said confirm recap sum summary brief short wonder "
    "wondering tip nb ps memo self saying say attention hint notice observation noticed realised realized "
    "detail details incidentally interestingly notably addendum question answer matter truth told basically "
    "essentially ultimately overall frankly aware true rule interesting recall tell understand curious "
    "something story so well oh ok okay hey hi anyway yes sure look listen also actually however please "
    "adding to-do"
)

LINKS = """
L: in at during into; within: within; O: on onto upon; P: of; T: to; F: for; W: with; A: as; &: and plus but
|: or; from: from; before: before; after: after; until: until till; since: since; by: by via; through: through
over: over above; under: under below; beneath; than: than; besides: besides; |: nor; between: between
outside: outside; inside: inside; against: against; without:; without; despite: despite; when: when while whenever
because: because; if: if; unless: unless
"""

NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
TENS = "thirty forty fifty sixty seventy eighty ninety hundred"
AMOUNTS = {"dozen": "12", "twice": "2 time", "thrice": "3 time", "noon": "12:00", "midday": "12:00", "midnight": "0:00"}
ORDINALS = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th",
    "eighth": "8th", "ninth": "9th", "tenth": "10th",
}  # fmt: skip
SCALES = {"k": 3, "hundred": 2, "thousand": 3, "mn": 6, "million": 6, "mio": 6, "bn": 9, "billion": 9}
UNITS = """
mg:mg g:gram kg:kg lb:lb lbs:lb oz:ounce m:metre km:km cm:cm mm:mm mi:mile ft:foot l:litre ml:ml kb:kb mb:mb
gb:gb tb:tb h:hour hr:hour hrs:hour min:minute mins:minute s:sec secs:sec ms:ms kw:kw kwh:kwh w:watt mph:mph
kph:kph px:px usd:usd eur:eur gbp:gbp cny:cny rmb:cny
"""
MONTHS = (
    "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|"
    "november nov|december dec"
)
WEEKDAYS = "monday mon|tuesday tue tues|wednesday wed weds|thursday thu thur thurs|friday fri|saturday sat|sunday sun"
TIMES = listed(
    "today tomorrow yesterday tonight morning afternoon evening night noon weekend daily weekly monthly "
    "yearly hourly nightly biweekly often usually sometimes rarely always spring summer autumn winter "
    "week month year next last every 春天 夏天 秋天 冬天"
)
# Ordinary words that one slip of the pen makes from each other; no typo is assumed between them.
CONFUSABLE = listed(
    "desert dessert country county bother brother message massage marital martial statue statute status "
    "scared sacred father farther feather leather weather whether certain curtain contract contact "
    "contest infect inject patient patent college collage causal casual perfect prefect signal single "
    "million billion personal personnel principal principle complement compliment stationary stationery "
    "formally formerly conversation conservation proceed precede perspective prospective trial trail "
    "united untied adapter adopter adaption adoption lightning lightening moral morale emigrate immigrate "
    "eminent imminent insure ensure assure server sever severe several planned planed manager manger "
    "battery buttery charger changer counter encounter dinner diner thorough through though thought "
    "collision collusion delusion dilution deduce seduce respectfully respectively human humane sensor "
    "censor inspect expect except accept access excess affect effect elicit illicit allusion illusion "
    "angel angle morning mourning invited united barrel barren baron marine marina cereal serial coarse "
    "course council counsel"
)
CITIES = """
beijing:北京 shanghai:上海 guangzhou:广州 shenzhen:深圳 hangzhou:杭州 suzhou:苏州 nanjing:南京 chengdu:成都
wuhan:武汉 xian:西安 chongqing:重庆 tianjin:天津 xiamen:厦门 qingdao:青岛 dalian:大连 changsha:长沙
ningbo:宁波 kunming:昆明 zhengzhou:郑州 jinan:济南 hefei:合肥 fuzhou:福州 harbin:哈尔滨 shenyang:沈阳
taipei:台北 tokyo:东京 osaka:大阪 seoul:首尔 london:伦敦 paris:巴黎 berlin:柏林 munich:慕尼黑 sydney:悉尼
toronto:多伦多 boston:波士顿 chicago:芝加哥 seattle:西雅图 rome:罗马 madrid:马德里 vienna:维也纳
"""
COUNTRIES = """
china:中国 japan:日本 korea:韩国 germany:德国 france:法国 italy:意大利 spain:西班牙 canada:加拿大
australia:澳大利亚 singapore:新加坡 england:英格兰 uk:英国 usa:美国 america portugal:葡萄牙 netherlands:荷兰
belgium austria:奥地利 switzerland:瑞士 sweden:瑞典 norway:挪威 denmark:丹麦 finland:芬兰 poland:波兰
ireland:爱尔兰 scotland wales greece:希腊 turkey:土耳其 russia:俄罗斯 ukraine india:印度 brazil:巴西
mexico:墨西哥 argentina chile egypt kenya nigeria israel thailand:泰国 vietnam:越南 malaysia:马来西亚
indonesia europe:欧洲 asia:亚洲 africa:非洲 britain bavaria california catalonia tuscany
"""
