// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import HTTPServing
    import Testing

    @Suite struct HTTPRequestTests {
        @Test func itemsOfAQueryAreDecoded() {
            let query = "a=1&link=true&b=%20&c&=&%6Eame=x=y&bad=%zz&bad=%ff&%=1&link=false"
            let items = HTTPRequest(method: "GET", path: "/", query: query, peer: "p").queryItems
            #expect(items == ["a": "1", "link": "true", "b": " ", "c": "", "": "", "name": "x=y"])
        }

        @Test func headersAreFoundByTheirNamesInAnyCase() {
            let headers = [("Host", "x"), ("COOKIE", "a, b"), ("cookie", "\t c ,,"), ("Empty", "")]
            let request = HTTPRequest(
                method: "GET", path: "/", headers: headers.map { (name: $0, value: $1) }, peer: "p")
            #expect(request.onlyValue("host") == "x")
            #expect(request.onlyValue("cookie") == nil && request.onlyValue("origin") == nil)
            #expect(request.values("cookie") == ["a, b", "\t c ,,"])
            #expect(request.elements("cookie") == ["a", "b", "c"])
            #expect(request.elements("empty").isEmpty && request.elements("origin").isEmpty)
        }

        @Test func namesOfThisMachine() {
            for name in ["localhost", "LocalHost:80", "127.0.0.1", "127.0.0.1:8080", "[::1]", "[::1]:9"] {
                #expect(LoopbackNames.contains(header: name), "\(name)")
            }
            for name in ["", "localhost.example", "127.0.0.1.example:80", "localhost:x", "[::2]", "::1"] {
                #expect(!LoopbackNames.contains(header: name), "\(name)")
            }
        }
    }
#endif
