// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmSwift
import Testing

@Suite struct RealmExceptionTests {
    @Test func textAndNameGoToStandardError() async {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            _ = List<Int>()[3]
        }
        expect("exception 'RLMException', reason: 'Index 3 is out of bounds (must be less than 0).'", in: result)
    }

    @Test func hookSeesTheTextFirst() async {
        await #expect(processExitsWith: .exitCode(7)) {
            ExceptionHook.current = { reason, name in
                exit(reason.hasPrefix("Index 3") && name == "RLMException" ? 7 : 1)
            }
            _ = List<Int>()[3]
        }
    }
}
