"""Where people work and as what, where they live, whom they are with: what a later saying replaces, and what not."""

import pytest

from gbrain.domain.similarity import claim, compare
from unit.domain.test_similarity import examples, relation

CHANGED = examples("""
        ines | Ines works at Harbour Labs as a welder | Ines works at Corvid Optics
        ines | Ines works at Harbour Labs | Ines works at Corvid Optics as a welder
        ines | Ines works as a welder at Harbour Labs | Ines works at Corvid Optics
        ines | Ines works at Harbour Labs as a welder | Ines works at Corvid Optics as a buyer
        ines | Ines is a welder at Harbour Labs | Ines works at Corvid Optics
        ines | Ines works at Harbour Labs | Ines is a senior engineer at Corvid Optics
        ines | Ines joined Harbour Labs as a welder | Ines works at Corvid Optics
        ines | Ines joined Harbour Labs as a welder in 2021 | She works at Corvid Optics now
        ines | Ines works at Harbour Labs as a welder | Ines joined Corvid Optics in May
        ines | Ines works at Harbour Labs as a welder | Ines recently joined Corvid Optics as head of research
        ines | Ines works for Harbour Labs in Porto | Ines works for Corvid Optics
        ines | Ines works full-time at Harbour Labs | Ines works at Corvid Optics
        ines | Ines has worked at Harbour Labs since 2019 | Ines works at Corvid Optics
        ines | Ines works at Harbour Labs in the research department | Ines now works at Corvid Optics
        ines | Ines is employed by Harbour Labs as a welder | Ines works for Corvid Optics
        ines | Ines works at Harbour Labs as a welder | Ines left Harbour Labs
        | I work at Harbour Labs as a welder | I work at Corvid Optics
        | I'm a welder at Harbour Labs | I just joined Corvid Optics as a buyer
        ines | Ines works at Harbour Labs as a welder | Ines works at Harbour Labs as a foreman
        ines | Ines is a welder at Harbour Labs | Ines is a foreman at Harbour Labs
        ines | Ines works as a welder at Harbour Labs | Ines is now the foreman at Harbour Labs
        ines | Ines joined Harbour Labs as a welder | Ines works at Harbour Labs as a buyer
        ines | Ines lives in Oslo with her sister | Ines moved to Porto
        ines | Ines lives in Oslo | Ines lives in Porto with her sister
        ines | Ines lives in Oslo with her two dogs | Ines lives in Porto
        ines | Ines lives in a flat in Oslo | Ines moved to Porto
        ines | Ines lives in Oslo near the harbour | Ines has moved to Porto
        ines | Ines lives in Oslo | Ines recently moved to Porto for work
        ines | Ines lives in Oslo | Ines moved to Porto in March
        ines | Ines lives in Oslo | Ines moved from Oslo to Porto with her husband
        ines | Ines has lived in Oslo since 2011 | Ines moved to Porto last month
        | I live in Oslo with my sister | I moved to Porto last week
        ines | Ines is married to Bo Lund | Ines is married to Cy Young
        ines | Ines's husband is Bo Lund | Ines is married to Cy Young
        ines | Ines's partner is Bo Lund | Ines's partner is now Cy Young
        ines | Ines's girlfriend is Ann | Ines's new girlfriend is Mia
        ines | Ines's phone number is 555-0101 | Ines's new phone number is 555-0199
        ines | Ines's phone number is 555-0101 | Ines can be reached at 555-0199
        ines | Ines's phone number is 555-0101 | Ines changed her phone number to 555-0199
        ines | Ines's mail address is ines@old.example | Ines's e-mail address is now ines@new.example
        ines | Ines's email is ines@old.example | Ines's email changed to ines@new.example last week
        lin siyuan | 林思远在青云科技当工程师 | 林思远在蓝海科技工作
        lin siyuan | 林思远在青云科技担任工程师 | 林思远现在在蓝海科技工作
        lin siyuan | 林思远是青云科技的工程师 | 林思远在蓝海科技上班
        lin siyuan | 林思远在青云科技工作 | 林思远加入了蓝海科技
        lin siyuan | 林思远在青云科技做工程师 | 林思远在青云科技做产品经理
        lin siyuan | 林思远在青云科技工作 | 林思远跳槽到蓝海科技了
        lin siyuan | 林思远和妹妹住在北京 | 林思远搬到上海了
        lin siyuan | 林思远和妹妹一起住在北京 | 林思远住在上海
        lin siyuan | 林思远住在北京 | 林思远上个月搬到了上海
        lin siyuan | 林思远的妻子是王芳 | 林思远的妻子是李静
        lin siyuan | 林思远的电话是13800000001 | 林思远的新电话是13900000002
        lin siyuan | 林思远的手机号是13800000001 | 林思远的手机号换成13900000002了
        ines | Ines works at Harbour Labs as a welder | Ines no longer works at Harbour Labs
        alice | Alice is the CTO of Acme | Alice is the CEO at Acme
        | Ines Moor works at Harbour Labs as a welder | Ines Moor works at Corvid Optics
        | Ines works at Harbour Labs as a welder | Ines is a buyer at Corvid Optics
        ines | works at Harbour Labs as a welder | works at Corvid Optics
        ines | works as a welder at Harbour Labs | joined Corvid Optics
        ines | is a welder at Harbour Labs | recently joined Corvid Optics as a buyer
        ines | lives in Oslo with her sister | moved to Porto last month
        lin siyuan | 在青云科技当工程师 | 在蓝海科技工作
        lin siyuan | 住在北京 | 搬到上海了
    """)

CHANGED_AFRESH = examples("""
        bruno | Bruno works at Delta Foods as a night-shift baker | Bruno works at Marlow Mills
        bruno | Bruno is a data analyst at Delta Foods | Bruno joined Marlow Mills as a team lead
        bruno | Bruno works at Delta Foods | He's a plumber at Marlow Mills
        bruno | Bruno works at Delta Foods in Ghent as a chef | Bruno works at Marlow Mills in Bruges as a chef
        bruno | Bruno joined Delta Foods last year as an accountant | Bruno is an accountant at Marlow Mills
        bruno | Bruno works at Delta Foods as an accountant | Bruno works at Delta Foods as the head of finance
        bruno | Bruno works at the University of Ghent as a lecturer | Bruno works at Marlow Mills
        bruno | Bruno has been working at Delta Foods since March | Bruno started working at Marlow Mills
        bruno | Bruno works at Delta Foods as a chef | Bruno got a job at Marlow Mills
        bruno | Bruno lives in Ghent with his parents | Bruno has just moved to Antwerp
        bruno | Bruno lives alone in Ghent | Bruno lives in Antwerp with his girlfriend
        bruno | Bruno lives in Ghent with his wife and two kids | Bruno moved to Antwerp
        bruno | Bruno lives in Ghent, Belgium | Bruno now lives in Antwerp
        bruno | Bruno's wife is Mara | Bruno's wife is Dita
        bruno | Bruno is dating Mara | Bruno is now dating Dita
        bruno | Bruno's mobile number is 0470-11 | Bruno's mobile number is now 0470-22
        bruno | Bruno's email address is b@one.example | Bruno switched his email address to b@two.example
        | My email is b@one.example | My new email is b@two.example
        | I work for Delta Foods as a chef | I now work for Marlow Mills
        wang lei | 王磊在星河集团任会计 | 王磊在长风公司工作
        wang lei | 王磊在星河集团做会计 | 王磊去年加入了长风公司
        wang lei | 王磊和父母住在南京 | 王磊现在住在苏州
        wang lei | 王磊的邮箱是a@x.example | 王磊的新邮箱是b@y.example
        wang lei | 王磊在星河集团当会计 | 王磊在星河集团当经理
        petra | Petra works at Quill Press as a copy editor | Petra works at Tern Media
        petra | Petra works as the deputy director at Quill Press | Petra is now working for Tern Media
        petra | Petra's a graphic designer at Quill Press | Petra recently joined Tern Media as an art director
        petra | Petra is employed at Quill Press as a proofreader | Petra has joined Tern Media
        petra | Petra works on the design team at Quill Press | Petra works at Tern Media
        petra | Petra works at Quill Press as a designer | Petra works at Quill Press as an accountant
        petra | Petra is the CFO at Quill Press | Petra is the CEO at Quill Press
        petra | Petra lives in Turku with two roommates | Petra lives in Tampere
        petra | Petra lives in Turku, Finland, with her wife | Petra moved to Tampere
        petra | Petra is based in Turku | Petra relocated to Tampere last spring
        petra | Petra currently lives in Turku | Petra has moved to Tampere
        petra | Petra's wife is Ida | Petra is married to Elin
        petra | Petra's phone is 040-1 | Petra's phone is now 040-2
        petra | Petra's e-mail is p@a.example | Petra's mail address is p@b.example
        | I'm working at Quill Press as an editor | I've joined Tern Media
        zhao min | 赵敏在远山科技担任设计师 | 赵敏入职了白鹭集团
        zhao min | 赵敏在远山科技上班 | 赵敏现在是白鹭集团的总监
        zhao min | 赵敏住在杭州 | 赵敏和丈夫搬到了成都
    """)
"""Written apart from the rules, to see what these miss."""

BOTH_HOLD = examples("""
        ines | Ines works at Harbour Labs on Mondays | Ines works at Corvid Optics on Fridays
        ines | Ines works at Harbour Labs on Mondays | Ines works at Corvid Optics
        ines | Ines works at Harbour Labs | Ines works at Corvid Optics on Fridays
        ines | Ines works at Harbour Labs as a welder | Ines worked at Corvid Optics
        ines | Ines works at Harbour Labs as a welder | Ines worked at Corvid Optics as a buyer until 2019
        ines | Ines works at Harbour Labs as a welder | Ines also works at Corvid Optics
        ines | Ines works at Harbour Labs as a welder | Ines also works at Corvid Optics as a buyer
        ines | Ines works at Harbour Labs | Ines works at Corvid Optics too
        ines | Ines works at Harbour Labs as a welder | Ines works part-time at Corvid Optics
        ines | Ines works at Harbour Labs as a welder | Ines works at Corvid Optics in the evenings
        ines | Ines works at Harbour Labs as a welder | Ines's sister works at Corvid Optics as a buyer
        ines | Ines works at Harbour Labs as a welder | Ines works at Corvid Optics as a volunteer
        ines | Ines works at Harbour Labs as a welder | Ines is a speaker at Corvid Summit
        ines | Ines works at Harbour Labs as a welder | Ines is a member at Corvid Gym
        ines | Ines works at Harbour Labs as a welder | Ines is a student at Corvid University
        ines | Ines works at Harbour Labs as a welder | Ines may join Corvid Optics
        ines | Ines works at Harbour Labs as a welder | Ines will join Corvid Optics in May
        ines | Ines works at Harbour Labs as a welder | Ines used to work at Corvid Optics
        ines | Ines works at Harbour Labs as a welder | Ines works in the garden
        ines | Ines works at Harbour Labs as a welder | Ines joined the Corvid choir
        ines | Ines works at Harbour Labs | Ines works at Harbour Labs as a welder
        ines | Ines works at Harbour Labs as a welder | Ines works at Harbour Labs
        ines | Ines works at Harbour Labs as a welder | Ines works at Harbour Labs as a senior welder
        ines | Ines works at Harbour Labs as a welder | Ines is a welder
        ines | Ines works at Harbour Labs and teaches at Corvid School | Ines works at Acme
        ines | Ines lives in Oslo with her sister | Ines used to live in Porto
        ines | Ines lives in Oslo with her sister | Ines lives in Porto in summer
        ines | Ines lives in Oslo in winter | Ines lives in Porto in summer
        ines | Ines lives in Oslo | Ines lived in Porto with her sister
        ines | Ines lives in Oslo with her sister | Ines's sister moved to Porto
        ines | Ines lives in Oslo with her sister | Ines plans to move to Porto
        ines | Ines lives in Oslo | Ines will move to Porto in May
        ines | Ines lives in Oslo with her sister | Ines lives in Norway
        ines | Ines lives in Oslo with her sister | Ines also lives in Porto
        ines | Ines lives in Oslo during the week | Ines lives in Porto at the weekend
        ines | Ines lives in Oslo and works at Acme | Ines moved to Porto
        ines | Ines's partner is Bo Lund | Ines's business partner is Cy Young
        ines | Ines's husband is Bo Lund | Ines's first husband was Cy Young
        ines | Ines's work phone is 555-0101 | Ines's home phone is 555-0199
        ines | Ines's phone number is 555-0101 | Ines's second phone number is 555-0199
        ines | Ines's email is ines@old.example | Ines's email at work is ines@new.example
        lin siyuan | 林思远在青云科技当工程师 | 林思远也在蓝海科技工作
        lin siyuan | 林思远在青云科技当工程师 | 林思远曾在蓝海科技工作
        lin siyuan | 林思远周一在青云科技工作 | 林思远周五在蓝海科技工作
        lin siyuan | 林思远和妹妹住在北京 | 林思远以前住在上海
        lin siyuan | 林思远冬天住在北京 | 林思远夏天住在上海
        lin siyuan | 林思远和妹妹住在北京 | 林思远的妹妹住在上海
        lin siyuan | 林思远在青云科技当工程师 | 林思远打算加入蓝海科技
        ines | Ines works in Porto | Ines works at Corvid Optics
        ines | Ines works at Harbour Labs as a welder | Ines joined Corvid Chess Club
        ines | Ines lives in Oslo | Ines is moving to Porto
        ines | Ines works at Harbour Labs as a welder | Ines is joining Corvid Optics
        ines | Ines works at Harbour Labs as a welder | Ines is a nurse in Porto
        ines | Ines also works at Harbour Labs | Ines works at Corvid Optics
        ines | Ines lives in Oslo | Ines moved to Porto for the summer
        acme | Acme's partner is Globex | Acme's partner is Initech
        ines | Ines works at Harbour Labs as a welder | Ines joined Corvid Optics in 2011
        lin siyuan | 林思远在青云科技工作 | 林思远加入了合唱团
        lin siyuan | 林思远是青云科技的工程师 | 林思远是王芳的老师
        ines | Ines lives in Oslo with her sister | Ines works at Corvid Optics
        | Ines works at Harbour Labs as a welder | Bo works at Corvid Optics
        ines | Ines's sister is a welder at Harbour Labs | Ines works at Corvid Optics
        ines | Ines works at Harbour Labs as a foreman | Ines joined Harbour Labs as a welder
        ines | Ines works at Harbour Labs as a foreman | Ines joined Harbour Labs in 2015 as a welder
        ines | works at Harbour Labs as a welder | also works at Corvid Optics
        ines | works at Harbour Labs as a welder | worked at Corvid Optics
        ines | lives in Oslo | moves to Porto in May
        ines | lives in Oslo with her sister | lives in Porto in summer
    """)

BOTH_HOLD_AFRESH = examples("""
        bruno | Bruno works at Delta Foods as a chef | Bruno works at Marlow Mills at weekends
        bruno | Bruno works at Delta Foods as a chef | Bruno is a volunteer at Marlow Shelter
        bruno | Bruno works at Delta Foods as a chef | Bruno is a customer at Marlow Bank
        bruno | Bruno works at Delta Foods as a chef | Bruno was a waiter at Marlow Mills
        bruno | Bruno works at Delta Foods as a chef | Bruno wants to work at Marlow Mills
        bruno | Bruno works at Delta Foods as a chef | Bruno has also joined Marlow Mills as an adviser
        bruno | Bruno works mornings at Delta Foods | Bruno works at Marlow Mills
        bruno | Bruno works at Delta Foods as a chef | Bruno worked for Marlow Mills for two years
        bruno | Bruno works at Delta Foods as a chef | Bruno joined the meeting at Marlow Mills
        bruno | Bruno works at Delta Foods as a chef | Bruno works with Marlow Mills
        bruno | Bruno works at Delta Foods as a chef | Bruno's wife joined Marlow Mills as a buyer
        bruno | Bruno lives in Ghent with his parents | Bruno's parents live in Antwerp
        bruno | Bruno lives in Ghent with his parents | Bruno lives in Antwerp half the year
        bruno | Bruno lives in Ghent with his parents | Bruno stayed in Antwerp with his sister
        bruno | Bruno lives in Ghent with his parents | Bruno might move to Antwerp
        bruno | Bruno lives in Ghent with his parents | Bruno grew up in Antwerp
        bruno | Bruno's wife is Mara | Bruno's ex-wife is Dita
        bruno | Bruno's partner is Mara | Bruno's tennis partner is Dita
        bruno | Bruno's email is b@one.example | Bruno's backup email is b@two.example
        bruno | Bruno's phone is 0470-11 | Bruno's old phone was 0470-22
        wang lei | 王磊在星河集团当会计 | 王磊还在长风公司兼职
        wang lei | 王磊在星河集团当会计 | 王磊以前在长风公司当会计
        wang lei | 王磊和父母住在南京 | 王磊的父母住在苏州
        wang lei | 王磊和父母住在南京 | 王磊想搬到苏州
        wang lei | 王磊周末住在南京 | 王磊住在苏州
        petra | Petra works at Quill Press as an editor | Petra works for Tern Media on the side
        petra | Petra works at Quill Press as an editor | Petra freelances for Tern Media
        petra | Petra works at Quill Press as an editor | Petra is a board member at Tern Media
        petra | Petra works at Quill Press as an editor | Petra occasionally works at Tern Media
        petra | Petra works at Quill Press as an editor | Petra works at Tern Media every Tuesday
        petra | Petra works at Quill Press as an editor | Petra previously worked at Tern Media
        petra | Petra works at Quill Press as an editor | Petra was an editor at Tern Media until 2020
        petra | Petra works at Quill Press as an editor | Petra's brother is an editor at Tern Media
        petra | Petra works at Quill Press as an editor | Petra has an interview at Tern Media
        petra | Petra works at Quill Press as an editor | Petra is starting at Tern Media in June
        petra | Petra works at Quill Press as an editor | Petra joined the Tern Media newsletter
        petra | Petra works at Quill Press as an editor | Petra is a client at Tern Media
        petra | Petra works at Quill Press as an editor | Petra works at home
        petra | Petra works at Quill Press as an editor | Petra works at night
        petra | Petra works at Quill Press as an editor | Petra works at a desk by the window
        petra | Petra works at Quill Press as an editor | Petra works two jobs
        petra | Petra works at Quill Press as an editor | Petra temporarily works at Tern Media
        petra | Petra works at Quill Press as an editor | Petra is an editor and a mother
        petra | Petra lives in Turku | Petra lives in Tampere part of the year
        petra | Petra lives in Turku | Petra has a summer house in Tampere
        petra | Petra lives in Turku with her wife | Petra was born in Tampere
        petra | Petra lives in Turku with her wife | Petra lives in a wooden house
        petra | Petra lives in Turku | Petra moved to Tampere in 2003
        petra | Petra lives in Turku | Petra temporarily lives in Tampere
        petra | Petra lives in Turku | Petra moved to a new desk
        petra | Petra lives in Turku | Petra would like to live in Tampere
        petra | Petra's wife is Ida | Petra's late wife was Elin
        petra | Petra's wife is Ida | Petra was married to Elin
        petra | Petra's phone is 040-1 | Petra's sister's phone is 040-2
        petra | Petra's e-mail is p@a.example | Petra also uses p@b.example
        zhao min | 赵敏在远山科技当设计师 | 赵敏每周二在白鹭集团上班
        zhao min | 赵敏在远山科技当设计师 | 赵敏是白鹭集团的顾问
        zhao min | 赵敏在远山科技当设计师 | 赵敏将加入白鹭集团
        zhao min | 赵敏住在杭州 | 赵敏曾经住在成都
        zhao min | 赵敏住在杭州 | 赵敏有时住在成都
        olaf | Olaf works at Pine Hall as a porter | Olaf is a teacher at Sunday School
        olaf | Olaf works at Pine Hall as a porter | Olaf joined Strava
        olaf | Olaf works at Pine Hall as a porter | Olaf is a coach at Birch Football Club
        olaf | Olaf works at Pine Hall as a porter | Olaf joined Birch Rowing Club
        olaf | Olaf works at Pine Hall as a porter | Olaf works at Birch Cafe during the holidays
        olaf | Olaf works at Pine Hall as a porter | Olaf and his sister work at Birch Cafe at weekends
        olaf | Olaf works at Pine Hall as a porter | Olaf works at Birch Cafe as a favour
        olaf | Olaf works at Pine Hall as a porter | Olaf works as a porter
        olaf | Olaf works at Pine Hall as a porter | Olaf is a night porter
        olaf | Olaf works at Pine Hall as a porter | Olaf works for free at Birch Cafe
        olaf | Olaf works at Pine Hall as a porter | Olaf applied at Birch Cafe
        olaf | Olaf works at Pine Hall as a porter | Olaf got an offer from Birch Cafe
        olaf | Olaf lives in Bergen | Olaf moved to Windows
        olaf | Olaf lives in Bergen | Olaf moved to Birch Cafe
        olaf | Olaf lives in Bergen | Olaf moved to Team Blue
        olaf | Olaf lives in Bergen with his dog | Olaf's dog lives in Voss
        olaf | Olaf lives in Bergen with his dog | Olaf is staying in Voss
        olaf | Olaf lives in Bergen with his dog | Olaf lives near Bergen
        olaf | Olaf lives in Bergen with his dog | Olaf lives on Pine Street
        olaf | Olaf lives in Bergen with his dog | Olaf moved to Voss temporarily
        olaf | Olaf lives in Bergen with his dog | Olaf moved to Voss for three months
        olaf | Olaf lives in Bergen with his dog | Olaf moved to Voss when he was ten
        olaf | Olaf lives in Bergen with his dog | Olaf moved to Voss as a child
        olaf | Olaf lives in Bergen | Olaf and Eva moved to Voss as children
        olaf | Olaf works at Pine Hall as a porter | Olaf joined Birch Cafe as a student
        lantern | Lantern works at Acme | Lantern works with Globex
        acme | Acme is based in Oslo | Acme is based in Voss on paper
        acme | Acme joined Linux Foundation | Acme joined Open Alliance
        acme | Acme joined Linux Foundation | Acme joined Apache Foundation
        olaf | Olaf is married to Eva | Olaf was engaged to Mia
        olaf | Olaf is married to Eva | Olaf's sister is married to Jon
        lin siyuan | 林思远在青云科技当工程师 | 林思远加入了读书会
        lin siyuan | 林思远在青云科技当工程师 | 林思远在蓝海科技当志愿者
        lin siyuan | 林思远在青云科技当工程师 | 林思远的妻子在蓝海科技工作
        lin siyuan | 林思远在青云科技当工程师 | 林思远想去蓝海科技工作
        lin siyuan | 林思远和父母住在北京 | 林思远周末住在天津
        lin siyuan | 林思远和父母住在北京 | 林思远小时候住在天津
    """)
"""As above."""


@pytest.mark.parametrize(("entity", "old", "new"), CHANGED + CHANGED_AFRESH)
def test_a_later_saying_replaces_an_earlier_one(entity: str, old: str, new: str) -> None:
    assert relation(old, new, *entity.split()) == "supersedes"


@pytest.mark.parametrize(("entity", "old", "new"), BOTH_HOLD + BOTH_HOLD_AFRESH)
def test_what_holds_beside_the_other_stays(entity: str, old: str, new: str) -> None:
    assert relation(old, new, *entity.split()) == "distinct"


@pytest.mark.parametrize(("entity", "old", "new"), CHANGED + CHANGED_AFRESH)
def test_claims_of_two_entities_replace_nothing(entity: str, old: str, new: str) -> None:
    names = tuple(entity.split())
    verdict = compare(claim(old, names), claim(new, ("somebody",)), True, "fact", False)
    assert verdict.relation == "distinct"


def test_an_event_ends_what_a_fact_says() -> None:
    assert relation("lives in Oslo", "moved to Porto", "user", kind="event", same_kind=False) == "supersedes"
    assert relation("works at Acme as a cook", "joined Globex", "user", kind="event", same_kind=False) == "supersedes"
    assert relation("lives in Oslo", "moved to Porto", "user", kind="commitment", same_kind=False) == "distinct"
    assert relation("The desk is in Oslo", "The desk moved to Porto", kind="event", same_kind=False) == "distinct"
