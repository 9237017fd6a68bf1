// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// The tours of `Documentation/Tours.md`: each of their files exists, and the number at the head of a tour counts them.
@Suite struct TourTests {
    @Test func eachTourCountsItsFiles() throws {
        let root = SharedFiles.packageRoot
        let page = try String(contentsOfFile: root + "/Documentation/Tours.md", encoding: .utf8)
        let tours = page.components(separatedBy: "\n## ").dropFirst()
        #expect(tours.count == 10)
        for tour in tours {
            let paths = Set(tour.matches(of: /`([A-Za-z]+\/[^`]+\.(?:swift|js))`/).map { String($0.1) })
            for path in paths {
                #expect(FileManager.default.fileExists(atPath: "\(root)/Sources/\(path)"), "\(path)")
            }
            let head = try #require(tour.firstMatch(of: /\n([0-9]+) files\./))
            #expect(Int(head.1) == paths.count, "\(tour.prefix { $0 != "\n" })")
        }
    }
}
