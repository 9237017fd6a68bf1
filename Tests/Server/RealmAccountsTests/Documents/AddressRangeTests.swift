// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Testing

    @testable import RealmAccounts

    @Suite struct AddressRangeTests {
        @Test(arguments: [
            (
                "10.0.0.1", ["10.0.0.1", "::ffff:10.0.0.1", "0:0:0:0:0:ffff:a00:1"],
                ["10.0.0.2", "::10.0.0.1", "x", ""]
            ),
            ("10.0.0.0/8", ["10.255.3.4", "::ffff:10.1.1.1"], ["11.0.0.0", "9.255.255.255"]),
            ("10.64.0.0/10", ["10.64.0.0", "10.127.255.255"], ["10.128.0.0", "10.63.255.255"]),
            ("0.0.0.0/0", ["1.2.3.4"], ["2001:db8::1"]), ("::/0", ["1.2.3.4", "2001:db8::1"], ["1.2.3"]),
            ("2001:db8::/33", ["2001:DB8:7fff::9", "2001:db8::"], ["2001:db8:8000::", "2001:db9::"]),
            ("::1", ["::1", "0:0:0:0:0:0:0:1", "::1%lo"], ["::2", "1::"]),
        ])
        func addressesAreInARangeOrNot(_ text: String, _ inside: [String], _ outside: [String]) throws {
            let range = try #require(AddressRange(text))
            for address in inside { #expect(range.contains(address), "\(address)") }
            for address in outside { #expect(!range.contains(address), "\(address)") }
        }

        @Test(arguments: [
            "", "/8", "10.0.0", "10.0.0.0.0", "10.0.0.256", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.-0",
            "::/129", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "g::", "::+1", "host",
            "10.0.0.0/8/8", "::1.2.3", "1.2.3.4::",
        ])
        func otherTextsAreRejected(_ text: String) { #expect(AddressRange(text) == nil) }
    }
#endif
