"""What people and programs get wrong outside of a body: methods, paths, queries, headers."""

from itertools import product

from service.reply.problems import KINDS

_FULL = b"a" * 999

METHODS = (
    *("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "QUERY"),
    *("get", "PROPFIND", "M-SEARCH", "X" * 300, "!#$%&'*+-.^_`|~"),
)

PATHS = (
    *b"/ /v1 /v1/ /v1/gradient/ //v1/gradient /v1//gradient /V1/gradient /v1/gradient".split(),
    *b"/v1/gradients /v1/operations /v1/examples /v1/limits /openapi.json /docs /docs/".split(),
    *b"/docs/style.css /docs/docs.js /docs/icon.svg /docs/..%2f..%2fapp.py /docs/%2e%2e/".split(),
    *b"/docs/../app.py /docs/__init__.py /docs/%00 /problems /problems/ /problems/none".split(),
    *b"/problems/%00 /problems/%0d%0aa:b /healthz /readyz /metrics /metrics/ /.env".split(),
    *b"/favicon.ico /% /%zz /%ff /%F0%9F%98%80 /%00 /%0d%0aSet-Cookie:%20a=1 /%2e%2e/etc".split(),
    *b"/.. /../../etc/passwd /v1/gradient%00 /v1/gradient;a=1 /v1%2fgradient /%ED%A0%80".split(),
    *b"/'\"<script> /{code} *".split(),
    *(b"/problems/" + code.encode() for code in KINDS),
    *(b"/" + b"a" * 5000, b"/" + b"a/" * 1000),
)

FORMATS = (*b"json dot mermaid dot mermaid png JSON %00 %ff".split(), b"")

QUERIES = (
    *b"expression=a expression=a+b expression=a%2Bb expression= values={} values=[]".split(),
    *b'values={"a":1,"a":2} values=%7B%22a%22%3A1e999%7D values=NaN values=%ff values='.split(),
    *rb'values={"a":"\ud800"} values=%ED%A0%80 parameters=a parameters=a&parameters=a'.split(),
    *b"parameters= parameters=%00 view=primitive view= view=folded&view=folded format".split(),
    *b"format=dot format=json&format=dot format= % %zz = == &&& a=b %00=%00 a;b a[]=1".split(),
    *b"%F0%9F%98%80=1 values[a]=1 expression=%0d%0aSet-Cookie:x=1".split(),
    *("é=😀".encode(), b"x=" + b"y" * 3000, b"parameters=b&" * 30, b"a=1&" * 2000),
)

_MEDIA_TYPES = (
    *b"*/* application/json text/html text/vnd.graphviz text/vnd.mermaid text/plain text/*".split(),
    *b"application/problem+json application/x-ndjson * , ; q=1 application/json;q=0".split(),
    *b"*/*;q=0 text/vnd.graphviz;q=nan text/html;q=-1,*/*;q=1e999 a/b,c/d;q=0.1".split(),
    *b"application/json;q=0.5,text/vnd.mermaid application/x-www-form-urlencoded".split(),
    *b"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 image/png".split(),
    *b"multipart/form-data application/json;charset= application/vnd.a+json text/json".split(),
    *b"application/ /json application/json;;; APPLICATION/JSON".split(),
    *(b"application/json; version=2", b"application/json; charset=UTF-16", b"(x)/y; z"),
    *(b"application/json; charset=utf-8", b'application/json; charset="utf-8'),
    *(b"multipart/form-data; boundary=a", b"application/json; charset*=utf-8''x"),
    *(b"application/json, application/json", b"application/json; charset=\xff"),
    *(b"", b"\xff\xfe/\x80", _FULL),
)
_NUMBERS = (*b"0 -1 5 99999 abc 1.5 0x5 +5".split(), b"", b"5, 5", b"\xb2", b"9" * 40)
_TRACE = b"00-" + b"a" * 32 + b"-" + b"b" * 16
_TRACES = (
    *(b"", b"00", b"00-" + b"0" * 32 + b"-" + b"0" * 16 + b"-00", b"\xff", _FULL, b"--" * 30),
    *(_TRACE + end for end in (b"-01", b"-ff", b"-zz", b"-01-x", b"")),
    *(b"ff" + _TRACE[2:] + b"-01", b"01" + _TRACE[2:].upper() + b"-01"),
)
_ORIGINS = b"https://example.org https://example.org.evil null * https://\xff a,b".split(b" ")
_TAGS = (*b'* "x" W/ " "\xff"'.split(b" "), b"", b"," * 50, b'W/"a", "b"', b'"a' * 99, b"a b c")
_DATES = (
    *(b"Thu, 01 Jan 1970 00:00:00 GMT", b"Thu, 99 Foo 99999 99:99:99 GMT"),
    *(b"x", b"", b"0", b"\xff"),
)
_HOSTS = (
    *b"localhost:99999 [::1] [ a:b:c http://a ..".split(),
    b"a b",
    b"",
    b"\xff",
    b"e\tx",
    _FULL,
)
_ODD = (b"", b"x", b"\xff", b"a=b", b"=;=", b"*;q=0", _FULL)

_FORMS = (
    (b"accept content-type accept", _MEDIA_TYPES),
    (b"content-encoding", (b"gzip", b"identity", b"br, gzip", b"IDENTITY", *_ODD)),
    (b"transfer-encoding", (b"chunked", b"gzip, chunked", *_ODD)),
    (b"content-length max-forwards x-forwarded-for", _NUMBERS),
    (b"traceparent tracestate x-request-id", (*_TRACES, b"a b", b"ok-1")),
    (b"if-none-match if-match if-range forwarded", _TAGS),
    (b"if-modified-since if-unmodified-since if-range date", _DATES),
    (b"range", (b"bytes=0-1", b"bytes=-5", b"bytes=5-1", b"bytes=", b"bytes=0-0,2-3", *_ODD)),
    (b"origin", _ORIGINS),
    (b"access-control-request-method access-control-request-headers", (b"POST", *_ODD)),
    (b"host x-forwarded-host", _HOSTS),
    (b"cookie authorization expect connection accept-encoding accept-language", _ODD),
    (b"user-agent x-http-method-override _ proxy sec-fetch-site http_accept", _ODD),
)
HEADERS = tuple(pair for names, texts in _FORMS for pair in product(names.split(), [tuple(texts)]))
"""Names, some of them twice as likely, and what each of them may say."""
