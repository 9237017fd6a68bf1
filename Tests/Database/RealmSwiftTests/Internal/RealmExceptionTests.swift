// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmSwift
import TestTraits
import Testing

@Suite struct RealmExceptionTests {
    @Test func textAndNameGoToStandardError() async {
        await #expect(processExitsWith: .signal(SIGABRT), observing: .errorText) {
            _ = List<Int>()[3]
        }.expectText("exception 'RLMException', reason: 'Index 3 is out of bounds (must be less than 0).'")
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
