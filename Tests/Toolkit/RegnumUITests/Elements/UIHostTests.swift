// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

/// The headless host.
@MainActor @Suite struct UIHostTests {
    private struct Page: View {
        @State var name = "Rex"
        @State var isOn = true
        var body: some View {
            NavigationView {
                Form {
                    Section("Dog") {
                        TextField("Name", text: $name).accessibilityIdentifier("name")
                        Toggle("Good", isOn: $isOn)
                    }
                    Text("hidden").accessibilityHidden(true)
                    Button("Save") {}.disabled(name.isEmpty)
                    Button("Twice") {}
                    Button("Twice") {}
                }
                .navigationTitle("Edit")
            }
        }
    }

    @Test func theTreeReadsAsText() {
        let host = UIHost.pair(Page())
        #expect(
            host.dump == """
                group
                  page "Edit"
                    bar
                      text "Edit"
                    form
                      section
                        group role=header
                          text "Dog"
                        row
                          field "Name" value=Rex #name
                        row
                          toggle "Good" checked
                            text "Good"
                      row
                      row
                        button
                          text "Save"
                      row
                        button
                          text "Twice"
                      row
                        button
                          text "Twice"
                """)
    }

    @Test func elementsAreFoundByRoleNameAndPlace() throws {
        let host = UIHost.pair(Page())
        #expect(try host.find(.id("name")).name == "Name")
        #expect(try host.find(UIQuery.field("Name").inside(.section("Dog"))).identifier == "name")
        #expect(host.all(.button("Twice")).count == 2)
        #expect(try host.find(UIQuery.button("Twice").at(1)).role == .button)
        #expect(!host.exists(.text("hidden")))
        #expect(!host.exists(UIQuery.button("Twice").at(2)))
        #expect(host.page.name == "Edit")
        #expect(try host.find(.row(containing: "Rex")).children.count == 1)
    }

    @Test func errorsShowTheTree() async throws {
        let host = UIHost.pair(Page())
        let none = try #require(throws: UIError.self) { try host.find(.button("Delete")) }
        #expect(none.description.hasPrefix("0 elements are button “Delete”:\ngroup\n  page"))
        let many = try #require(throws: UIError.self) { try host.find(.button("Twice")) }
        #expect(many.description.hasPrefix("2 elements are button “Twice”"))
        try await host.clear(.field("Name"))
        let disabled = await #expect(throws: UIError.self) { try await host.tap(.button("Save")) }
        #expect(disabled?.description.hasPrefix("button “Save” is disabled") == true)
        let unable = await #expect(throws: UIError.self) { try await host.delete(.row(containing: "Good")) }
        #expect(unable?.description.contains("cannot delete") == true)
    }

    @Test func twoHostsAreIndependent() async throws {
        let (first, second) = (UIHost.pair(Page()), UIHost.pair(Page()))
        try await first.type("!", into: .field("Name"))
        #expect(try first.find(.field("Name")).value == "Rex!")
        #expect(try second.find(.field("Name")).value == "Rex")
    }

    @Test func previewsAreShown() throws {
        struct Previews: PreviewProvider {
            static var previews: some View { Text("preview").previewDisplayName("x") }
        }
        #expect(PreviewHost.render(Previews.self).exists(.text("preview")))
    }

    @Test func aProgramsWindowIsShownWithItsState() async throws {
        struct Program: App {
            @State var count = 0
            var body: some Scene {
                WindowGroup { Button("count \(count)") { count += 1 } }
                WindowGroup(id: "other") { Text("other") }
            }
        }
        let host = UIHost(Program())
        try await host.tap(.button("count 0"))
        #expect(host.exists(.button("count 1")))
    }
}
